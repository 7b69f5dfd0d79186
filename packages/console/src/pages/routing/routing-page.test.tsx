import { channelApi, role, routingApi } from '@headgate/contract';
import { asRoot, createTestUser, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { typeAndEnter } from '../../testing/list-page.ts';
import { openConsole, openWithNavigation } from '../../testing/open-console.tsx';
import { expectMessage, fill, findButton, findRow } from '../../testing/page.ts';

const openDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

it('creates, tests, edits and deletes a rule and an alias', async () => {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  const [group, name] = [uniqueName('group'), uniqueName('our-best')];
  const fields = { type: 8, key: 'k', base_url: 'http://127.0.0.1:9', group };
  await root.call(channelApi.create, { body: { ...fields, name: `${group} one`, models: 'gpt-4o' } });
  await root.call(channelApi.create, { body: { ...fields, name: `${group} two`, models: 'gpt-4.1' } });
  const { user } = await openWithNavigation('/', { as: await createTestUser(url, { role: role.admin }) });
  const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
  await user.click(menu.getByRole('link', { name: 'Models' }));
  await user.click(await screen.findByRole('link', { name: 'Routing' }));
  await user.click(await findButton('Add rule'));
  const rule = await openDialog('Add rule');
  fill(rule.getByRole('combobox', { name: 'Group' }), group);
  fill(rule.getByRole('combobox', { name: 'Model' }), 'gpt-4o*');
  await user.selectOptions(rule.getByLabelText(/^Load balancing/), 'cheapest');
  typeAndEnter(rule.getByRole('combobox', { name: 'Fallback models' }), 'gpt-4.1');
  fill(rule.getByLabelText(/^Mirror: share/), '5');
  fill(await rule.findByLabelText(/^Mirror: channel name/), `${group} two`);
  await user.click(rule.getByRole('button', { name: 'Save' }));
  await expectMessage('Rule saved');
  const row = () => findRow(`${group} · gpt-4o*`, 'listitem');
  expect((await row()).textContent).toContain('Lowest cost');
  expect((await row()).textContent).toContain('Falls back to gpt-4.1');
  expect((await row()).textContent).toContain(`5% mirrored to ${group} two`);

  await user.click(await findButton('Add alias'));
  const alias = await openDialog('Add alias');
  fill(alias.getByLabelText(/^Alias/), name);
  const target = alias.getByRole('combobox', { name: /^Target model/ });
  fill(target, 'gpt-*');
  await user.click(alias.getByRole('button', { name: 'Save' }));
  await alias.findByText('* in the target requires * in the alias');
  fill(target, 'gpt-4o');
  await user.click(alias.getByRole('button', { name: 'Save' }));
  await expectMessage('Alias saved');

  const section = await screen.findByRole('region', { name: 'Test routing' });
  const trial = within(section);
  fill(trial.getByRole('combobox', { name: 'Group' }), group);
  fill(trial.getByRole('combobox', { name: 'Model' }), name);
  await user.click(trial.getByRole('button', { name: 'Preview route' }));
  await trial.findByText(`Alias ${name} → gpt-4o`);
  const first = trial.getAllByRole('listitem').find(({ textContent }) => textContent?.includes(`${group} one`));
  expect(first?.textContent).toContain('First choice · 100%');
  trial.getByText('Falls back to gpt-4.1');

  await user.click(within(await row()).getByRole('button', { name: /^Edit/ }));
  const editing = await openDialog('Edit rule');
  await user.selectOptions(editing.getByLabelText(/^Sticky sessions/), 'conversation');
  await user.click(editing.getByRole('button', { name: 'Save' }));
  await expect.poll(async () => (await row()).textContent).toContain('Sticky: Conversation');
  await user.click(within(await row()).getByRole('button', { name: /^Delete/ }));
  await user.click(await findButton('Delete rule'));
  await expect.poll(() => screen.queryByText(`${group} · gpt-4o*`)).toBeNull();
  expect((await root.call(routingApi.rules)).filter((stored) => stored.group === group)).toEqual([]);
  const stored = (await root.call(routingApi.aliases)).find(({ pattern }) => pattern === name);
  expect(stored).toBeDefined();
  await root.call(routingApi.removeAlias, { params: { id: stored?.id ?? 0 } });
});

it('a dialog opens with its first field focused', async () => {
  const as = await createTestUser(await gatewayUrl(), { role: role.admin });
  const { user } = await openConsole('/routing', { as });
  await user.click(await findButton('Add alias'));
  const dialog = await screen.findByRole('dialog');
  const [first] = dialog.querySelectorAll('input');
  await expect.poll(() => document.activeElement).toBe(first);
});
