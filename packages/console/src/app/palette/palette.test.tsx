import { tokenApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole, phoneWindowWidth } from '../../testing/open-console.tsx';
import { address, expectAddress, fill, findButton } from '../../testing/page.ts';

const findField = () => screen.findByRole('combobox', { name: 'Search or run a command' });
const findHeading = () => screen.findByRole('heading', { level: 1 });

it('opens with Ctrl+K and navigates to pages, users and tokens', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  const name = uniqueName('key');
  await (await asRoot(url)).call(tokenApi.create, { body: { name } });
  const { user } = await openConsole('/about', { as: rootAccount });
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
  const { user, network } = await openConsole('/about', { as: person, width: phoneWindowWidth });
  await user.click(await findButton('Go to…'));
  await screen.findByRole('option', { name: 'Tokens' });
  expect(screen.queryAllByRole('option', { name: /Channels|Users|Add user|Redemption/ })).toEqual([]);
  fill(await findField(), 'zzzz');
  await screen.findByText('No results found');
  expect(network.sent('GET', /^\/api\/(channel|user\/search)/)).toEqual([]);
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('focuses the search with / and lists shortcuts with ?, but not while typing', async () => {
  const { user } = await openConsole('/token', { as: await createTestUser(await gatewayUrl()) });
  const search = await screen.findByRole<HTMLInputElement>('searchbox');
  await user.keyboard('/');
  expect(document.activeElement).toBe(search);
  await user.keyboard('a/b?');
  expect(search.value).toBe('a/b?');
  search.blur();
  await user.keyboard('?');
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});
