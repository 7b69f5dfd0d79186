import { channelApi, role, routingApi } from '@headgate/contract';
import { asRoot, createPerson, freshName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { enter } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectMessage, fill, findButton, findRow } from '../../testing/page.ts';

const openDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

it('creates, tests, edits and deletes a rule and an alias', async () => {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  const [group, name] = [freshName('group'), freshName('our-best')];
  const fields = { type: 8, key: 'k', base_url: 'http://127.0.0.1:9', group };
  await root.call(channelApi.create, { body: { ...fields, name: `${group} one`, models: 'gpt-4o' } });
  await root.call(channelApi.create, { body: { ...fields, name: `${group} two`, models: 'gpt-4.1' } });
  const { user } = await openConsole('/', { as: await createPerson(url, { role: role.admin }) });
  await user.click(await screen.findByRole('link', { name: 'Routing' }));
  await user.click(await findButton('Add rule'));
  const rule = await openDialog('Add rule');
  fill(rule.getByRole('combobox', { name: 'Group' }), group);
  fill(rule.getByRole('combobox', { name: 'Model' }), 'gpt-4o*');
  await user.selectOptions(rule.getByLabelText(/^Among channels of the same priority/), 'cheapest');
  enter(rule.getByRole('combobox', { name: 'Models that serve in its place (fallbacks)' }), 'gpt-4.1');
  await user.click(rule.getByRole('button', { name: 'Save' }));
  await expectMessage('Rule saved');
  const row = () => findRow(`${group} · gpt-4o*`, 'listitem');
  expect((await row()).textContent).toContain('Cheapest');
  expect((await row()).textContent).toContain('Then gpt-4.1');

  await user.click(await findButton('Add name'));
  const alias = await openDialog('Add name');
  fill(alias.getByLabelText(/^Name that is asked for/), name);
  const target = alias.getByRole('combobox', { name: /^Model that serves/ });
  fill(target, 'gpt-*');
  await user.click(alias.getByRole('button', { name: 'Save' }));
  await alias.findByText('The name has no star it could stand for');
  fill(target, 'gpt-4o');
  await user.click(alias.getByRole('button', { name: 'Save' }));
  await expectMessage('Name saved');

  const section = await screen.findByRole('region', { name: 'Try it' });
  const trial = within(section);
  fill(trial.getByRole('combobox', { name: 'Group' }), group);
  fill(trial.getByRole('combobox', { name: 'Model' }), name);
  await user.click(trial.getByRole('button', { name: 'Show the way' }));
  await trial.findByText(`The name ${name} stands for gpt-4o`);
  const first = trial.getAllByRole('listitem').find(({ textContent }) => textContent?.includes(`${group} one`));
  expect(first?.textContent).toContain('Asked first · 100 %');
  trial.getByText('Then gpt-4.1');

  await user.click(within(await row()).getByRole('button', { name: /^Edit/ }));
  const editing = await openDialog('Edit rule');
  await user.selectOptions(editing.getByLabelText(/^Keep on the same channel and key/), 'conversation');
  await user.click(editing.getByRole('button', { name: 'Save' }));
  await expect.poll(async () => (await row()).textContent).toContain('Together: Conversations');
  await user.click(within(await row()).getByRole('button', { name: /^Delete/ }));
  await user.click(await findButton('Delete rule'));
  await expect.poll(() => screen.queryByText(`${group} · gpt-4o*`)).toBeNull();
  expect((await root.call(routingApi.rules)).filter((stored) => stored.group === group)).toEqual([]);
  const stored = (await root.call(routingApi.aliases)).find(({ pattern }) => pattern === name);
  expect(stored).toBeDefined();
  await root.call(routingApi.removeAlias, { params: { id: stored?.id ?? 0 } });
});
