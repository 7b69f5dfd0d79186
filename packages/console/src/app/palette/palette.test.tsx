import { tokenApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openWithNavigation, phoneWindowWidth } from '../../testing/open-console.tsx';
import { address, expectAddress, fill, findButton } from '../../testing/page.ts';
import { createTokenOwner } from '../../testing/token-owner.ts';

const findField = () => screen.findByRole('combobox', { name: 'Search or run a command' });
const findHeading = () => screen.findByRole('heading', { level: 1 });

it('opens with Ctrl+K and navigates to pages, users and tokens', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  const name = uniqueName('key');
  await (await asRoot(url)).call(tokenApi.create, { body: { name } });
  const { user } = await openWithNavigation('/about', { as: rootAccount });
  await findHeading();
  await user.keyboard('{Control>}k{/Control}');
  fill(await findField(), 'redem');
  expect((await screen.findByRole('option', { selected: true })).textContent).toBe('Redemption codes');
  await user.keyboard('{Enter}');
  await expectAddress('/redemption');
  expect(screen.queryByRole('combobox', { name: 'Search or run a command' })).toBeNull();
  await user.keyboard('{Control>}k{/Control}');
  fill(await findField(), person.username);
  const users = await screen.findByRole('group', { name: 'Users' });
  await user.click(within(users).getAllByRole('option')[0] as HTMLElement);
  await expectAddress(`/user/view/${person.id}`);
  await user.keyboard('{Control>}k{/Control}');
  fill(await findField(), name);
  await within(await screen.findByRole('group', { name: 'Tokens' })).findByRole('option', { name: new RegExp(name) });
  await user.keyboard('{ArrowDown}{ArrowUp}{Enter}');
  await expect.poll(address).toMatch(/^\/token\/edit\/\d+/);
});

it('opens with a button on a phone, and hides admin pages from common users', async () => {
  const person = await createTestUser(await gatewayUrl());
  const { user, network } = await openWithNavigation('/about', { as: person, width: phoneWindowWidth });
  await user.click(await findButton('Go to…'));
  await screen.findByRole('option', { name: 'Tokens' });
  expect(screen.queryAllByRole('option', { name: /Channels|Users|Add user|Redemption/ })).toEqual([]);
  fill(await findField(), 'zzzz');
  await screen.findByText('No results found');
  expect(network.sent('GET', /^\/api\/(channel|user\/search)/)).toEqual([]);
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('focuses the search with / and lists shortcuts with ?, except while typing in a field', async () => {
  const { user } = await openWithNavigation('/token', { as: await createTestUser(await gatewayUrl()) });
  const search = await screen.findByRole<HTMLInputElement>('searchbox');
  await user.keyboard('/');
  expect(document.activeElement).toBe(search);
  await user.keyboard('a/b?');
  expect(search.value).toBe('a/b?');
  search.blur();
  await user.keyboard('?');
  await within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).findByText('Next row');
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('opens pages with g and a letter, selects rows with j and k, and opens them with Enter', async () => {
  const { owner } = await createTokenOwner({ name: 'older' }, { name: 'newer' });
  const { user } = await openWithNavigation('/log', { as: owner });
  await findHeading();
  await user.keyboard('gt');
  await expectAddress('/token');
  await screen.findByText('newer');
  const focused = () => document.activeElement?.textContent ?? '';
  await user.keyboard('j');
  expect(focused()).toContain('newer');
  await user.keyboard('jj');
  expect(focused()).toContain('older');
  await user.keyboard('k{Enter}');
  await expect.poll(address).toMatch(/^\/token\/edit\/\d+/);
  // Common users have no access to this page.
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('gc');
  await expect.poll(address).toMatch(/^\/token\/edit\/\d+/);
});

it('finds settings by label and by API name, and opens their topic', async () => {
  const { user } = await openWithNavigation('/about', { as: rootAccount });
  await findHeading();
  await user.keyboard('{Control>}k{/Control}');
  fill(await findField(), 'retry');
  await within(await screen.findByRole('group', { name: 'Settings' })).findAllByRole('option');
  fill(await findField(), 'smtp');
  const found = within(await screen.findByRole('group', { name: 'Settings' }));
  await user.click(found.getAllByRole('option')[0] as HTMLElement);
  await expectAddress('/setting?tab=system&topic=smtp');
  await screen.findByRole('heading', { name: 'SMTP' });
  expect(screen.queryByRole('heading', { name: 'OpenID Connect' })).toBeNull();
  await user.click(screen.getByRole('link', { name: 'All topics' }));
  await screen.findByRole('heading', { name: 'OpenID Connect' });
});
