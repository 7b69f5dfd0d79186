import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  checkPagination,
  expectMessage,
  expectNoRow,
  expectRowCount,
  fillIn,
  openMinimalConsole,
  press,
  rows,
  search,
  searchAll,
} from '../testing/minimal-server/open-minimal.tsx';
import { phoneWindowWidth } from '../testing/open-console.tsx';
import { chooseAction, fill, findRow } from '../testing/page.ts';

const cannotFilter = 'This server does not support filters. Only rows on this page are filtered.';
const statusFilter = (name: string) => within(screen.getByRole('radiogroup', { name: 'Status' })).getByLabelText(name);

describe('lists on a server with only the specified calls', () => {
  it('[S1.23 S7.46 S7.47 S7.51 S7.52] pages, searches, sorts, disables and deletes tokens', async () => {
    const { user, server } = await openMinimalConsole('/token');
    await checkPagination(user, 'token-1');
    await searchAll(user, 'token-', 23);
    await search(user, '');
    await expectRowCount(10);
    const quota = screen.getByRole('columnheader', { name: /^Remaining quota/ });
    await user.click(within(quota).getByRole('button'));
    await expect.poll(() => rows()[0]?.textContent).toContain('token-14');
    await chooseAction(user, 'token-20', 'Disable');
    await within(await findRow('token-20')).findByText('Disabled');
    expect(server.tables.token.find(({ id }) => id === 20)).toMatchObject({ name: 'token-20', status: 2 });
    await chooseAction(user, 'token-19', 'Delete');
    await press(user, 'Delete token');
    await expectNoRow('token-19');
    await expectRowCount(10);
  });

  it('[S1.23] filters by status only within the current page, and shows a notice', async () => {
    const { user, server } = await openMinimalConsole('/token');
    Object.assign(server.tables.token.at(-1) ?? {}, { status: 2 });
    await expectRowCount(10);
    expect(screen.queryByText(cannotFilter)).toBeNull();
    await user.click(statusFilter('Disabled'));
    await screen.findByText(cannotFilter);
    await screen.findByText('No results on this page');
    expect(screen.queryByText('No results')).toBeNull();
    for (const _ of [1, 2]) await press(user, 'Next page');
    await expectRowCount(1);
    expect(rows()[0]?.textContent).toContain('token-1');
  });

  it('[S1.23] ignores a page size remembered from another server', async () => {
    localStorage.setItem('list_size:token', '50');
    const { user } = await openMinimalConsole('/token');
    await checkPagination(user, 'token-1');
    expect(screen.queryByRole('combobox', { name: 'Rows per page' })).toBeNull();
  });

  it('[S1.23 S7.53 S7.54 S7.57 S7.58 S7.59] pages, searches, disables, edits and deletes redemption codes', async () => {
    const { user, server, open } = await openMinimalConsole('/redemption');
    await checkPagination(user, 'code-1');
    await open('/redemption');
    await searchAll(user, 'code-', 23);
    await search(user, '');
    await chooseAction(user, 'code-20 #20', 'Disable');
    await within(await findRow('code-20')).findByText('Disabled');
    await chooseAction(user, 'code-19 #19', 'Delete');
    await press(user, 'Delete code');
    await expectNoRow('code-19');
    await chooseAction(user, 'code-20 #20', 'Edit');
    await fillIn('Name', 'renamed');
    await press(user, 'Save code');
    await expectMessage('Redemption updated');
    await findRow('renamed');
    expect(server.tables.redemption.find(({ id }) => id === 20)).toMatchObject({ name: 'renamed', quota: 500_000 });
  });

  it('[S1.23 S7.20 S7.22 S7.23 S7.24] pages, searches, sorts and manages users', async () => {
    const { user, server, open } = await openMinimalConsole('/user');
    await checkPagination(user, 'admin');
    await open('/user');
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Sort order' }), 'quota');
    await expectRowCount(10);
    await searchAll(user, 'user-', 22);
    await search(user, '');
    await chooseAction(user, 'user-20', 'Disable');
    await within(await findRow('user-20')).findByText('Banned');
    await chooseAction(user, 'user-20', 'Promote');
    await within(await findRow('user-20')).findByText('Admin');
    await chooseAction(user, 'user-19', 'Delete');
    await press(user, 'Delete user');
    await expectNoRow('user-19');
    expect(server.tables.user).toHaveLength(22);
  });

  it('[S1.23 S7.35 S7.36 S7.40 S7.41 S7.42] pages, searches, disables and deletes channels', async () => {
    const { user, server, open } = await openMinimalConsole('/channel');
    await checkPagination(user, 'channel-1');
    await open('/channel');
    await searchAll(user, 'channel-', 23);
    await search(user, '');
    await chooseAction(user, 'channel-20', 'Disable');
    await within(await findRow('channel-20')).findByText('Manually disabled');
    const priority = await screen.findByRole('textbox', { name: 'Priority of channel-22 (higher is preferred)' });
    fill(priority, '5');
    await user.type(priority, '{Enter}');
    await expectMessage('Operation completed successfully');
    expect(server.tables.channel.find(({ id }) => id === 22)).toMatchObject({ name: 'channel-22', priority: 5 });
    await chooseAction(user, 'channel-19', 'Delete');
    await press(user, 'Delete channel');
    await expectNoRow('channel-19');
    await press(user, 'More actions for all channels');
    await user.click(await screen.findByRole('menuitem', { name: 'Delete disabled channels' }));
    await press(user, 'Delete disabled channels');
    await expectMessage('All disabled channels deleted, 1 in total');
    await expectNoRow('channel-20');
  });

  it('[S1.23 S7.43 S7.44 S7.45] tests one channel and all channels, and shows their balance', async () => {
    const { user } = await openMinimalConsole('/channel');
    await press(user, 'Test: channel-20');
    await expectMessage('Channel channel-20 test passed: gpt-4o responded in 0.50');
    await press(user, 'Test all');
    await expectMessage('Tests started');
    await user.click(await screen.findByRole('switch', { name: 'Details' }));
    await user.click(
      await within(await findRow('channel-21')).findByRole('button', { name: /^Update balance of channel-21/ }),
    );
    await within(await findRow('channel-21')).findByText('$12.50');
  });

  it('[S1.23 S7.60 S7.63] pages, filters and totals the logs of all users', async () => {
    const { user, open } = await openMinimalConsole('/log');
    await checkPagination(user, 'spent 1');
    await open('/log');
    await press(user, 'Click to view');
    const total = () => screen.getByRole('group', { name: 'Total consumed quota' }).textContent;
    await expect.poll(total).toContain('$23.00');
    await press(user, 'Filters');
    await fillIn('Model name', 'deepseek-chat');
    await expect.poll(total).toContain('$11.00');
    await expectNoRow('gpt-4o');
    await expectRowCount(10);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Top-up');
    await screen.findByText('No results');
  });

  it('[S1.23 S7.60] reports that the server cannot export logs', async () => {
    const { user } = await openMinimalConsole('/log');
    await expectRowCount(10);
    await press(user, 'Export CSV');
    await screen.findByText(/This server does not support exports/);
    await press(user, 'Close');
    await expect.poll(() => screen.queryByText('The export failed')).toBeNull();
    await expectRowCount(10);
  });

  it('[S1.23 S7.61 S7.64] shows common users their own logs', async () => {
    const { user } = await openMinimalConsole('/log', { user: { username: 'wei', role: 1 } });
    await checkPagination(user, 'spent 1');
    await press(user, 'Click to view');
    await expect
      .poll(() => screen.getByRole('group', { name: 'Total consumed quota' }).textContent)
      .toContain('$23.00');
  });

  it('[S1.23] pages and searches on a phone', async () => {
    const { user } = await openMinimalConsole('/channel', { width: phoneWindowWidth });
    await checkPagination(user, 'channel-1');
    await searchAll(user, 'channel-', 23);
  });
});
