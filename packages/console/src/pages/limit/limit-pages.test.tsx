import { channelApi, limitRuleApi, tokenApi } from '@headgate/contract';
import { asRoot, createChannel, createTestUser, rootAccount, signedInClient, uniqueName } from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectNoRow, expectRowText } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectInRow, fill, findButton, findRow } from '../../testing/page.ts';

const amount = () => screen.findByLabelText<HTMLInputElement>(/^Limit(?! type)/);

it('creates a limit, and shows its summary in the list', async () => {
  const note = uniqueName('note');
  const { user, network } = await openConsole('/limit', { as: rootAccount });
  await user.click((await screen.findAllByRole('link', { name: 'Add limit' }))[0] as HTMLElement);
  await user.selectOptions(await screen.findByLabelText('Limit type'), 'Tokens per day');
  fill(await amount(), '20000');
  await user.selectOptions(screen.getByLabelText('Counting'), 'Separately for each value of the tag');
  fill(screen.getByRole('combobox', { name: 'Group' }), 'vip');
  fill(screen.getByRole('combobox', { name: 'Model' }), 'claude-*');
  fill(screen.getByLabelText('Note'), note);
  await user.click(await findButton('Create limit'));
  await screen.findByText('Enter the tag whose values are counted separately');
  fill(screen.getByLabelText('Request tag'), 'team=*');
  await user.click(await findButton('Create limit'));
  await screen.findByText('Limit created');
  await openConsole(`/limit?keyword=${note}`, { network });
  await expectInRow(note, 'Group vip · Request tag team=* · claude-*');
  for (const text of ['20,000 tokens per day, each tag value', '0 of 20,000', 'Enabled']) await expectInRow(note, text);
  const root = await asRoot(await gatewayUrl());
  const [stored] = await root.call(limitRuleApi.list, { query: { keyword: note } });
  expect(stored).toMatchObject({ measure: 'tokens_per_day', amount: 20_000, counts_per: 'tag', tag: 'team=*' });
});

it('edits, disables, enables and deletes a limit', async () => {
  const note = uniqueName('note');
  const root = await asRoot(await gatewayUrl());
  const { id } = await root.call(limitRuleApi.create, {
    body: { note, group: 'default', model: 'gpt-5*', measure: 'requests_per_minute', amount: 60, counts_per: 'user' },
  });
  const enabled = async () => (await root.call(limitRuleApi.get, { params: { id } })).enabled;
  const { user } = await openConsole(`/limit?keyword=${note}`, { as: rootAccount });
  await expectRowText(note, /60 requests per minute, each user/);
  await user.click(within(await findRow(note)).getByRole('link', { name: /^Edit/ }));
  fill(await amount(), '30');
  await user.click(await findButton('Save limit'));
  await expectRowText(note, /30 requests per minute, each user/);
  const choose = async (name: string) => {
    await user.click(within(await findRow(note)).getByRole('button', { name: /^More actions/ }));
    await user.click(await screen.findByRole('menuitem', { name }));
  };
  await choose('Disable');
  await expectInRow(note, 'Disabled');
  await expect.poll(enabled).toBe(false);
  await choose('Enable');
  await expect.poll(enabled).toBe(true);
  await choose('Delete');
  await user.click(await findButton('Delete limit'));
  await expectNoRow(note);
  expect((await root.send(limitRuleApi.get, { params: { id } })).body).toMatchObject({ success: false });
});

it('shows errors next to the field, and keeps the form open', async () => {
  const url = await gatewayUrl();
  const client = await signedInClient(url, await createTestUser(url));
  const { id, name } = await client.call(tokenApi.create, { body: { name: uniqueName('brief') } });
  const { user } = await openConsole('/limit/add', { as: rootAccount });
  fill(await amount(), '');
  fill(screen.getByLabelText('Note'), 'stays');
  await user.click(await findButton('Create limit'));
  await screen.findByText('Must be at least 1');
  fill(await amount(), '5');
  const token = screen.getByRole('combobox', { name: 'Token' });
  await user.click(token);
  fill(token, 'no such token');
  // Closed dropdowns of other fields contain the same text.
  await expect.poll(() => token.getAttribute('aria-expanded')).toBe('true');
  await screen.findAllByText('No matching names');
  fill(token, name);
  fireEvent.click(await screen.findByRole('option', { name: new RegExp(name) }));
  await client.call(tokenApi.remove, { params: { id } });
  await user.click(await findButton('Create limit'));
  await screen.findByText('The user, token or channel of this limit does not exist');
  expect(screen.getByLabelText('Note')).toHaveProperty('value', 'stays');
  await user.selectOptions(screen.getByLabelText('Limit type'), 'Cost per request');
  expect(screen.queryByLabelText('Counting')).toBeNull();
  // An amount of money is a text input, not a number input.
  expect(await amount()).toHaveProperty('type', 'text');
});

it('saves a cost limit of 5 dollars in points, and rejects an unreadable amount', async () => {
  const note = uniqueName('note');
  const { user, network } = await openConsole('/limit/add', { as: rootAccount });
  await user.selectOptions(await screen.findByLabelText('Limit type'), 'Cost per request');
  fill(await amount(), 'five');
  fill(screen.getByLabelText('Note'), note);
  await user.click(await findButton('Create limit'));
  await screen.findByText(/“five” is not a number/);
  expect(network.sent('POST', '/api/limit/')).toEqual([]);
  fill(await amount(), '5');
  await screen.findByText('= 2,500,000 points');
  await user.click(await findButton('Create limit'));
  await screen.findByText('Limit created');
  expect(network.sent('POST', '/api/limit/')[0]?.body).toMatchObject({
    measure: 'cost_per_request',
    amount: 2_500_000,
  });
  const root = await asRoot(await gatewayUrl());
  const [limit] = await root.call(limitRuleApi.list, { query: { keyword: note } });
  await root.call(limitRuleApi.remove, { params: { id: limit?.id ?? 0 } });
});

it('shows a daily cost limit and its usage as money', async () => {
  const note = uniqueName('note');
  const { user, network } = await openConsole('/limit/add', { as: rootAccount });
  await user.selectOptions(await screen.findByLabelText('Limit type'), 'Cost per day');
  expect((await amount()).value).toBe('');
  fill(await amount(), '5');
  await user.selectOptions(screen.getByLabelText('Counting'), 'Separately for each token');
  fill(screen.getByLabelText('Note'), note);
  await user.click(await findButton('Create limit'));
  await screen.findByText('Limit created');
  expect(network.sent('POST', '/api/limit/')[0]?.body).toMatchObject({ measure: 'cost_per_day', amount: 2_500_000 });
  await openConsole(`/limit?keyword=${note}`, { network });
  await expectRowText(note, /\$5(\.00)? per day, each token.*\$0(\.00)? of \$5/);
  const root = await asRoot(await gatewayUrl());
  const [limit] = await root.call(limitRuleApi.list, { query: { keyword: note } });
  await root.call(limitRuleApi.remove, { params: { id: limit?.id ?? 0 } });
});

it('links the user, token and channel of a limit, and marks deleted ones', async () => {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  const person = await createTestUser(url);
  const client = await signedInClient(url, person);
  const token = await client.call(tokenApi.create, { body: { name: uniqueName('laptop') } });
  const channel = await createChannel(url);
  const note = uniqueName('note');
  const subjects = { user_id: person.id, token_id: token.id, channel_id: channel.id };
  const { id } = await root.call(limitRuleApi.create, {
    body: { note, measure: 'requests_per_minute', amount: 60, ...subjects },
  });
  const { network } = await openConsole(`/limit?keyword=${note}`, { as: rootAccount });
  const target = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await target(`Channel ${channel.name}`)).toBe(`/channel/view/${channel.id}`);
  expect(await target(`Token ${token.name}`)).toBe(`/user/view/${person.id}`);
  await root.call(channelApi.remove, { params: { id: channel.id } });
  await client.call(tokenApi.remove, { params: { id: token.id } });
  await openConsole(`/limit?keyword=${note}`, { network });
  await screen.findByText(`Channel #${channel.id} (deleted)`);
  expect(await target(`User ${person.username}`)).toBe(`/user/view/${person.id}`);
  await openConsole(`/limit/edit/${id}`, { network });
  const field = await screen.findByRole('combobox', { name: 'Channel' });
  await expect.poll(() => field).toHaveProperty('value', `#${channel.id} (deleted)`);
  await root.call(limitRuleApi.remove, { params: { id } });
});
