import { type Log, logApi, role, userApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, seedLogs, setOption, signedInClient } from '@headgate/testkit';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatTime } from '../../lib/format/format.ts';
import { createCaller } from '../../testing/caller.ts';
import { gatewayUrl, workerGateway } from '../../testing/gateway.ts';
import { chips, chooseType, expandFilters, expectRowCount, query, rowTexts } from '../../testing/log-page.ts';
import { Network } from '../../testing/network.ts';
import { openConsole, openWithNavigation, phoneWindowWidth } from '../../testing/open-console.tsx';
import { columnTexts, expectAddress, fill, findRow } from '../../testing/page.ts';

const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

describe('own logs', () => {
  it('[S1.7 S2.24 S2.161 S3.43] own logs show time, type, token, model, tokens, quota and content', async () => {
    const caller = await createCaller();
    await caller.send('laptop');
    const { user } = await openConsole('/log', { as: caller.person });
    await screen.findByRole('heading', { level: 1, name: /^Usage details/ });
    const row = await findRow(caller.model);
    for (const text of ['200', 'laptop', caller.model, '10', '5', '$0.001800']) within(row).getByText(text);
    const logs = await (await signedInClient(await gatewayUrl(), caller.person)).call(logApi.listOwn, {
      query: { type: 2 },
    });
    const time = new Date((logs[0]?.created_at ?? 0) * 1000).toISOString().slice(0, 19).replace('T', ' ');
    expect(within(row).getByText('just now').title).toBe(time);
    // Values that do not apply are blank instead of 0.
    await user.click(screen.getByRole('radio', { name: 'Audit' }));
    const update = await findRow('changed the quota');
    within(update).getByText('Management');
    expect(within(update).queryByText(/^(0|\$0\.000000)$/)).toBeNull();
    await expandFilters(user);
    for (const label of ['Token name', 'Model name', 'Start time', 'End time']) screen.getByLabelText(label);
  });

  it('[S6.6 S6.9 S2.165 S2.166 S7.61 S7.62] own logs have no channel and username, even with such filters in the URL', async () => {
    const person = await createTestUser(await gatewayUrl());
    const { user, network } = await openWithNavigation('/log?view=audit&username=root&channel=7', { as: person });
    await expandFilters(user);
    screen.getByLabelText('Token name');
    screen.getByLabelText('Start time');
    expect(screen.queryByLabelText('Channel ID')).toBeNull();
    expect(screen.queryByLabelText('Username')).toBeNull();
    await expectRowCount(1);
    expect(headings().join()).not.toMatch(/Channel|User/);
    const [list] = network.sent('GET', '/api/log/self/');
    expect(Object.keys(list?.query ?? {}).sort()).toEqual([
      'end_timestamp',
      'model_name',
      'p',
      'size',
      'start_timestamp',
      'token_name',
      'type',
      'view',
    ]);
    await expect.poll(() => network.sent('GET', '/api/user/self')).not.toEqual([]);
    expect(network.sent('GET', '/api/log/')).toEqual([]);
  });

  it('own logs show every row, even from a server that sends no ids', async () => {
    const caller = await createCaller();
    await caller.send();
    await caller.send();
    const network = new Network();
    network.change('GET', '/api/log/self/', (logs: Log[]) => logs.map((log) => ({ ...log, id: 0 })));
    const error = vi.spyOn(console, 'error');
    await openConsole('/log', { as: caller.person, network });
    await expectRowCount(2, caller.model);
    expect(error).not.toHaveBeenCalled();
  });

  it("own logs show points if currency display is off, and sentences in the user's language", async () => {
    const caller = await createCaller();
    await caller.send();
    const url = await gatewayUrl();
    await setOption(url, 'DisplayInCurrencyEnabled', 'false');
    onTestFinished(() => setOption(url, 'DisplayInCurrencyEnabled', 'true'));
    await openConsole('/log?type=2', { as: caller.person });
    within(await findRow(caller.model)).getByText('900');
    await setOption(url, 'DisplayInCurrencyEnabled', 'true');
    const { username } = caller.person;
    const { user } = await openWithNavigation('/log?type=3', { as: caller.person, language: 'zh' });
    await screen.findByText(`root 将 ${username} 的额度从 $0.00 改为 $2.00`);
    await user.click(screen.getByRole('button', { name: 'English' }));
    await screen.findByText(`root changed the quota of ${username} from $0.00 to $2.00`);
  });

  it('own logs are cards on a phone, with all filters collapsed', async () => {
    const caller = await createCaller();
    await caller.send('pocket');
    const { user } = await openConsole('/log', { as: caller.person, width: phoneWindowWidth });
    expect((await findRow(caller.model, 'listitem')).textContent).toContain('10 → 5');
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.queryByLabelText('Token name')).toBeNull();
    await expandFilters(user);
    fill(screen.getByLabelText('Token name'), 'unknown');
    await query(user);
    await screen.findByText('No results');
  });
});

describe('logs of all users', () => {
  it('[S3.43 S6.7 S7.60 S2.165 S2.166] only admins see the logs of all users, and filter them by channel and username', async () => {
    const [one, other] = [await createCaller(), await createCaller()];
    await one.send();
    await other.send();
    const admin = await createTestUser(await gatewayUrl(), { role: role.admin });
    const { user, network } = await openConsole('/log', { as: admin });
    for (const { model, person } of [one, other])
      expect((await findRow(model)).textContent).toContain(`200${person.username}`);
    const [all] = network.sent('GET', '/api/log/');
    expect(all?.query).toMatchObject({ p: '0', type: '0', username: '', token_name: '', model_name: '' });
    expect(all?.query).toMatchObject({ start_timestamp: '0', channel: '0' });
    await expandFilters(user);
    const channel = String(one.channels[0]);
    fill(screen.getByLabelText('Username'), one.person.username);
    fill(screen.getByLabelText('Channel ID'), channel);
    await query(user);
    await expectRowCount(1);
    expect(rowTexts()[0]).toContain(one.person.username);
    expect(network.sent('GET', '/api/log/').at(-1)?.query).toMatchObject({ username: one.person.username, channel });
    await user.click(screen.getByRole('link', { name: one.model }));
    await expectAddress(`/channel/view/${channel}`);
  });

  it('[S9.11] logs truncate usernames after 15 characters, in the table and on a phone', async () => {
    const network = new Network();
    network.change('GET', '/api/log/', ([log]: Log[]) => [{ ...log, username: 'a-name-of-twenty-one' }]);
    await openConsole('/log', { as: rootAccount, network });
    expect((await findRow('a-name-of-twen…')).textContent).not.toContain('twenty');
    await openConsole('/log', { network, width: phoneWindowWidth });
    expect((await findRow('a-name-of-twen…', 'listitem')).textContent).not.toContain('twenty');
  });
});

it('[S2.162 S4.27] choosing a log type filters immediately, starting at the first page', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url, { quota: 5 });
  const root = await asRoot(url);
  for (let n = 0; n < 11; n += 1)
    await root.call(userApi.topUp, { body: { user_id: person.id, quota: 500_000, remark: `gift ${n}` } });
  const { user, network } = await openConsole('/log?page=2&view=system', { as: person });
  await expandFilters(user);
  const types = await screen.findByRole('combobox', { name: 'Type' });
  const labels = ['All types', 'Top-up', 'Consumption', 'Management', 'System', 'Failed request'];
  const options = within(types).getAllByRole<HTMLOptionElement>('option');
  expect(options.map(({ value, textContent }) => [value, textContent])).toEqual(
    labels.map((label, value) => [String(value), label]),
  );
  await expectRowCount(1);
  await chooseType(user, 'Top-up');
  await expectAddress('/log?type=1');
  await expectRowCount(10, 'Top-up');
  expect(network.sent('GET', '/api/log/self/').at(-1)?.query).toMatchObject({ type: '1', p: '0' });
  screen.getByText('1–10 of 11');
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(rowTexts()).toEqual([expect.stringContaining('root added $1.00: gift 0')]));
  await chooseType(user, 'Management');
  await expectAddress('/log?type=3');
  await expectRowCount(2, 'Management');
});

it('sorting logs by a column sorts only the rows of the current page', async () => {
  const person = await createTestUser(await gatewayUrl());
  seedLogs(await workerGateway(), { owner: person, count: 15, newest: 1_790_000_000 });
  const { user } = await openConsole('/log?page=2&type=2', { as: person });
  await expectRowCount(5);
  const quotas = () => columnTexts(7);
  const unsorted = quotas();
  const heading = screen.getByRole('columnheader', { name: /^Quota/ });
  await user.click(within(heading).getByRole('button'));
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending');
  await expect.poll(quotas).toEqual(unsorted.toSorted());
  expect(quotas()).not.toEqual(unsorted);
  screen.getByText('11–15 of 15');
});

it('the log list counts up to 10,000 entries, and older ones are reachable after the last counted page', async () => {
  const person = await createTestUser(await gatewayUrl());
  seedLogs(await workerGateway(), { owner: person, count: 10_015, newest: 1_790_000_000 });
  const { user } = await openConsole('/log?page=1000&size=10&type=2', { as: person });
  await screen.findByText('9,991–10,000 of 10,000+');
  const before = formatTime(1_790_000_000 - 9_999);
  await findRow(before);
  await user.click(screen.getByRole('button', { name: 'Older logs' }));
  await screen.findByText('1–10 of 15');
  expect(chips()).toContain(`Older than: ${before}`);
  expect(screen.queryByRole('button', { name: 'Older logs' })).toBeNull();
  expect(rowTexts()[0]).toContain(formatTime(1_790_000_000 - 10_000));
  await user.click(screen.getByRole('button', { name: /^Older than/ }));
  await screen.findByText('1–10 of 10,000+');
});
