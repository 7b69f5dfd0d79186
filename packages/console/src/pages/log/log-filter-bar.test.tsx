import { logApi, role } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, seedLogs } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createCaller } from '../../testing/caller.ts';
import { gatewayUrl, workerGateway } from '../../testing/gateway.ts';
import { chips, clickTotal, expandFilters, expectRowCount, expectTotal, query } from '../../testing/log-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { address, expectAddress, expectAlert, fill, findButton } from '../../testing/page.ts';

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const findField = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const isInvalid = (label: string) => field(label).getAttribute('aria-invalid') === 'true';

it('[S2.161] applies filters while typing, keeps them in the URL, and refetches with Enter if nothing changed', async () => {
  const caller = await createCaller();
  await caller.send('first');
  await caller.send('second');
  const { user, network } = await openConsole('/log', { as: caller.person });
  await expectRowCount(2, caller.model);
  network.calls.length = 0;
  await expandFilters(user);
  fill(field('Token name'), ' second ');
  fill(field('Model name'), caller.model);
  await expectRowCount(1);
  await expectAddress(`/log?token_name=second&model_name=${caller.model}`);
  await caller.send('second');
  await query(user);
  await expectRowCount(2, 'second');
  const reloaded = (await openConsole(address(), { network })).user;
  await expectRowCount(2, 'second');
  await expandFilters(reloaded);
  expect(field('Token name').value).toBe('second');
  fill(field('Token name'), 'unknown');
  await reloaded.type(field('Token name'), '{Enter}');
  await screen.findByText('No results');
  await reloaded.click(screen.getByRole('button', { name: 'Clear filters' }));
  await expectAddress('/log');
  expect(field('Token name').value).toBe('');
  await expectRowCount(3, caller.model);
});

it('suggests values from the logs, matches partial names, and removes filters individually', async () => {
  const caller = await createCaller();
  for (const name of ['Laptop of Ann', 'laptop of Bob', 'server']) await caller.send(name);
  const { user, network } = await openConsole('/log', { as: caller.person });
  await expandFilters(user);
  await user.type(await findField('Token name'), 'lap');
  await expect
    .poll(() =>
      screen.queryAllByRole('option').flatMap((option) => (option.closest('select') ? [] : option.textContent)),
    )
    .toEqual(['Laptop of Ann', 'laptop of Bob']);
  await user.keyboard('{ArrowDown}{Enter}');
  await expectAddress('/log?token_name=Laptop+of+Ann');
  await expectRowCount(1);
  fill(field('Token name'), 'LAP');
  await user.click(screen.getAllByRole('button', { name: 'is' })[0] as HTMLElement);
  fill(field('Model name'), caller.model);
  await query(user);
  await expectRowCount(2);
  expect(chips().sort()).toEqual([`Model name: ${caller.model}`, 'Token name contains LAP']);
  await clickTotal(user, 'Click to view');
  await expectTotal('$0.003600');
  const reloaded = (await openConsole(address(), { network })).user;
  await expectRowCount(2);
  await expectTotal('$0.003600');
  await reloaded.click(await findButton(/^Token name contains/));
  await expectRowCount(3);
  await expectTotal('$0.005400');
  await reloaded.click(await findButton(/^Model name:/));
  await expectAddress('/log');
  expect(chips()).toEqual([]);
});

it('finds channels by name and a request by its id', async () => {
  const caller = await createCaller();
  await caller.send();
  await caller.send();
  const logs = await (await asRoot(await gatewayUrl())).call(logApi.list, {
    query: { username: caller.person.username },
  });
  const requestId = logs[0]?.request_id ?? '';
  const { user } = await openConsole('/log', { as: rootAccount });
  await expandFilters(user);
  await user.type(field('Channel ID'), caller.model.slice(0, -1));
  await user.click(await screen.findByRole('option', { name: new RegExp(caller.model) }));
  await expectRowCount(2);
  await expect.poll(chips).toEqual([`Channel: ${caller.model} (#${caller.channels[0]})`]);
  fill(field('Request ID'), requestId);
  await query(user);
  await expectRowCount(1);
  expect(chips()).toContain(`Request ID: ${requestId}`);
});

it('marks an invalid time or id, and sends nothing', async () => {
  const admin = await createTestUser(await gatewayUrl(), { role: role.admin });
  const { user, network } = await openConsole('/log', { as: admin });
  await expect.poll(() => network.sent('GET', '/api/log/')).toHaveLength(1);
  await expandFilters(user);
  fill(field('Start time'), 'last week');
  fill(field('Channel ID'), 'seven');
  await query(user);
  await expectAlert('Time format error');
  expect(['Start time', 'Channel ID', 'End time'].filter(isInvalid)).toEqual(['Start time', 'Channel ID']);
  expect(network.sent('GET', '/api/log/')).toHaveLength(1);
  fill(field('Start time'), '2026-01-01');
  fill(field('Channel ID'), '');
  await query(user);
  await expect.poll(address).toMatch(/^\/log\?start=\d+$/);
  await expandFilters(user);
  expect(field('Start time').value).toBe('2026-01-01 00:00:00');
});

it('shows the number of collapsed filters, and lists them as chips', async () => {
  const { user } = await openConsole('/log?group=vip&token_name=ci&model_name=o3', { as: rootAccount });
  const filters = await findButton('Filters 3');
  expect(filters.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByLabelText('Group')).toBeNull();
  filters.focus();
  await user.keyboard('{Enter}');
  expect(filters.getAttribute('aria-expanded')).toBe('true');
  expect(field('Group').value).toBe('vip');
  await user.click(screen.getByRole('button', { name: /^Group: vip/ }));
  await findButton('Filters 2');
  await expectAddress('/log?token_name=ci&model_name=o3');
});

it('[S9.8 S9.36 S9.37] shows local times, and defaults to the range from the epoch to an hour from now', async () => {
  vi.stubEnv('TZ', 'Asia/Shanghai');
  onTestFinished(() => void vi.unstubAllEnvs());
  const person = await createTestUser(await gatewayUrl());
  seedLogs(await workerGateway(), { owner: person, count: 1, newest: 1_790_000_000 });
  const now = 1_791_000_000;
  vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 });
  const { user, network } = await openConsole('/log?type=2', { as: person });
  await screen.findByText('2026-09-21 22:13:20');
  const lastQuery = () => network.sent('GET', '/api/log/self/').at(-1)?.query;
  expect(lastQuery()).toMatchObject({ start_timestamp: '0', end_timestamp: String(now + 3600) });
  await expandFilters(user);
  expect(field('Start time').value).toBe('1970-01-01 08:00:00');
  expect(field('End time').value).toBe('2026-10-03 13:00:00');
  fill(field('Start time'), '2026-09-21 22:13:20');
  fill(field('End time'), '2026-09-21 22:13:20');
  await query(user);
  await expect.poll(lastQuery).toMatchObject({ start_timestamp: '1790000000', end_timestamp: '1790000000' });
  await expectRowCount(1);
  const choose = async (preset: string) => {
    await user.click(screen.getByRole('button', { name: /^Time range/ }));
    await user.click(await findButton(preset));
  };
  await choose('Last 24 hours');
  await screen.findByText('No results');
  expect(field('Start time').value).toBe('2026-10-02 12:00:00');
  await findButton('Time range: Last 24 hours');
  await choose('All time');
  await expectAddress('/log?type=2');
  await expectRowCount(1);
});
