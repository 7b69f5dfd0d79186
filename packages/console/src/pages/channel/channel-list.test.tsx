import { createChannel, createTestUser, removeAllChannels, rootAccount, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { detailsSwitch, findCell, openListOf, openListWith, priorityOf, weightOf } from '../../testing/channel-list.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectNoRow, expectSorting, menuEntries, searchList } from '../../testing/list-page.ts';
import { openConsole, openWithNavigation, phoneWindowWidth } from '../../testing/open-console.tsx';
import { chooseAction, findButton, findRow } from '../../testing/page.ts';

// Channels with tags from other test files would add a column.
beforeAll(async () => removeAllChannels(await gatewayUrl()));

const cellText = async (row: string, title: string) => (await findCell(row, title))?.textContent;

it('[S6.4] the channel list is not accessible to common users', async () => {
  const { network } = await openConsole('/channel', { as: await createTestUser(await gatewayUrl()) });
  for (const path of ['/channel', '/channel/add', '/channel/edit/1']) {
    await openWithNavigation(path, { network });
    await screen.findByRole('heading', { level: 1, name: 'Not allowed' });
  }
  expect(screen.queryByRole('link', { name: 'Channels' })).toBeNull();
});

it('[S2.12 S2.38 S7.35] the channel list is reached from the menu, and shows the channels', async () => {
  const channel = await createChannel(await gatewayUrl(), { type: 14, group: 'vip,default', priority: 7 });
  const { user, network } = await openWithNavigation('/', { as: rootAccount });
  await user.click(await screen.findByRole('link', { name: 'Channels' }));
  const row = within(await findRow(channel.name));
  expect(network.sent('GET', '/api/channel/')[0]?.query['p']).toBe('0');
  for (const text of ['Anthropic Claude', 'Enabled', 'Untested']) row.getByText(text);
  expect((await priorityOf(channel)).value).toBe('7');
  expect(await cellText(channel.name, 'ID')).toBe(String(channel.id));
  expect(await cellText(channel.name, 'Group')).toBe('defaultvip');
});

it('[S2.85 S7.36] the channel list searches by ID, name and key, on the server', async () => {
  const url = await gatewayUrl();
  const [channel, other] = [await createChannel(url), await createChannel(url)];
  const { user, network } = await openConsole('/channel', { as: rootAccount });
  await screen.findByPlaceholderText('Search by ID, name and key');
  for (const keyword of [String(channel.id), channel.name.toUpperCase(), `key-of-${channel.name}`]) {
    await searchList(user, ` ${keyword} `);
    await expect.poll(() => network.sent('GET', '/api/channel/search').at(-1)?.query['keyword']).toBe(keyword);
    await expectNoRow(other.name);
    await findRow(channel.name);
  }
});

it('[S2.86 S2.87 S2.88 S2.89 S2.93] the channel list is sorted by a click on ID, name, group, type and priority', async () => {
  const url = await gatewayUrl();
  const prefix = uniqueName('order');
  const b = `${prefix}-b`;
  const a = `${prefix}-a`;
  const c = `${prefix}-c`;
  // Each column sorts the channels differently from at least one other.
  await createChannel(url, { name: b, type: 14, group: 'vip', priority: 1 });
  await createChannel(url, { name: a, type: 15, group: 'default', priority: 3 });
  await createChannel(url, { name: c, type: 1, group: 'svip', priority: 2 });
  const { user } = await openConsole(`/channel?keyword=${prefix}`, { as: rootAccount });
  for (const [title, ...ascending] of [
    ['ID', b, a, c],
    ['Name', a, b, c],
    ['Group', a, c, b],
    ['Type', c, b, a],
    ['Priority', b, c, a],
  ] as const)
    await expectSorting(user, title, 2, ascending);
});

it('[S2.90 S2.91 S2.92] the channel list is sorted by a click on status, response time and balance', async () => {
  // Each column sorts the channels differently.
  const { user, network } = await openListWith(
    { name: 'a', status: 3, response_time: 900, balance: 3.5 },
    { name: 'b', status: 2, response_time: 80, balance: 20 },
    { name: 'c', status: 1, response_time: 4000, balance: 10 },
  );
  await user.click(await detailsSwitch());
  await weightOf({ name: 'a' });
  for (const [title, field, ...ascending] of [
    ['Status', 'status', 'c', 'b', 'a'],
    ['Response time', 'response_time', 'b', 'a', 'c'],
    ['Balance', 'balance', 'a', 'c', 'b'],
  ] as const) {
    await expectSorting(user, title, 2, ascending);
    expect(network.sent('GET', '/api/channel/').at(-1)?.query['sort']).toBe(field);
  }
});

it('[S2.94 S2.95 S2.105] shows balance, test model and weight in the details, and remembers that they are open', async () => {
  const channel = await createChannel(await gatewayUrl(), { models: 'gpt-4o,gpt-3.5-turbo' });
  const { user } = await openListOf(channel);
  await findRow(channel.name);
  expect(screen.queryByRole('columnheader', { name: 'Balance' })).toBeNull();
  await user.click(await detailsSwitch());
  await screen.findByRole('columnheader', { name: 'Balance' });
  expect(await cellText(channel.name, 'Balance')).toBe('$0.00');
  const model = screen.getByRole('combobox', { name: `Test model of ${channel.name}` });
  expect(model).toHaveProperty('value', 'gpt-3.5-turbo');
  expect((await weightOf(channel)).value).toBe('0');
  expect(localStorage.getItem('show_detail')).toBe('true');
  await openListOf(channel);
  await screen.findByRole('columnheader', { name: 'Test model' });
});

it('[S4.11 S4.12 S4.13 S4.14 S4.17] shows each status with its reason, and offers to disable only enabled channels', async () => {
  const reason = 'Incorrect API key provided';
  const { user } = await openListWith(
    ...[1, 2, 3, 9].map((status) => ({ name: `c${status}`, status, status_reason: status === 3 ? reason : '' })),
  );
  for (const [name, label, offered] of [
    ['c1', 'Enabled', 'Disable'],
    ['c2', 'Manually disabled', 'Enable'],
    ['c3', 'Automatically disabled', 'Enable'],
    ['c9', 'Unknown', 'Enable'],
  ] as const) {
    expect(await cellText(name, 'Status')).toBe(label);
    const entries = (await menuEntries(user, name)).map((entry) => entry.name);
    expect(entries.filter((entry) => entry === 'Enable' || entry === 'Disable')).toEqual([offered]);
  }
  await user.hover(within(await findRow('c3')).getByText('Automatically disabled'));
  await screen.findByText(reason);
});

it('[S3.35 S4.22 S4.23 S4.24 S4.25 S4.26] shows each response time with the color of its range', async () => {
  const { user } = await openListWith(
    ...[0, 1000, 1001, 3001, 5001].map((response_time, index) => ({
      name: `c${index}`,
      response_time,
      test_time: index === 1 ? 1_700_000_000 : 0,
      type: index === 4 ? 99 : 1,
    })),
  );
  for (const [name, text, color] of [
    ['c0', 'Untested', 'gray'],
    ['c1', '1.00 s', 'green'],
    ['c2', '1.00 s', 'olive'],
    ['c3', '3.00 s', 'yellow'],
    ['c4', '5.00 s', 'red'],
  ] as const) {
    const speed = (await findCell(name, 'Response time'))?.querySelector('[data-color]');
    expect(speed?.textContent).toBe(text);
    expect(speed?.getAttribute('data-color'), text).toBe(color);
  }
  await user.hover(within(await findRow('c1')).getByText('1.00 s'));
  await screen.findByText('Last tested 2023-11-14 22:13:20');
  expect(await cellText('c4', 'Type')).toBe('99');
});

it('[S9.30 S9.31 S9.32 S9.33 S9.34 S7.45] shows balances by type, and updates one on click', async () => {
  const shown = [
    [1, '$12.30'],
    [8, '$12.30'],
    [4, '¥12.30'],
    [12, '¥12.30'],
    [44, '¥12.30'],
    [5, '¥0.0012'],
    [10, '12.3'],
    [13, '12.3'],
    [14, 'Unsupported'],
  ] as const;
  const { user, network } = await openListWith(
    ...shown.map(([type]) => ({ name: `type-${type}-`, type, balance: 12.3 })),
  );
  network.route('GET', '/api/channel/update_balance/1/', () =>
    Response.json({ success: true, message: '', balance: 45.678 }),
  );
  await user.click(await detailsSwitch());
  await screen.findByRole('columnheader', { name: 'Balance' });
  for (const [type, text] of shown) expect(await cellText(`type-${type}-`, 'Balance')).toBe(text);
  await user.click(within(await findRow('type-1-')).getByText('$12.30'));
  await expect.poll(() => cellText('type-1-', 'Balance')).toBe('$45.68');
});

it('[S3.13] dismisses the hint permanently', async () => {
  const text = /^Tests use gpt-3.5-turbo if the channel offers it/;
  const { user, network } = await openConsole('/channel', { as: rootAccount });
  await screen.findByText(text);
  await user.click(await findButton('Dismiss this hint'));
  expect(screen.queryByText(text)).toBeNull();
  expect(localStorage.getItem('prompt-detail')).toBe('true');
  await openConsole('/channel', { network });
  await screen.findByRole('searchbox');
  expect(screen.queryByText(text)).toBeNull();
});

it('shows channels as cards with all actions in one menu on a phone', async () => {
  const channel = await createChannel(await gatewayUrl(), { type: 14 });
  const { user } = await openListOf(channel, phoneWindowWidth);
  const card = () => findRow(channel.name, 'listitem');
  within(await card()).getByText('Anthropic Claude');
  await chooseAction(user, channel.name, 'Disable');
  await within(await card()).findByText('Manually disabled');
  await priorityOf(channel);
});
