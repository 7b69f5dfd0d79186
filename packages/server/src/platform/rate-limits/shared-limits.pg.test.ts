import { registrationApi, sessionApi } from '@headgate/contract';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';

const none = readConfig({ API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' }).rateLimits;

const account = 6;
const address = 7;
const config = {
  trustedProxies: ['127.0.0.0/8'],
  rateLimits: {
    ...none,
    loginAccount: { most: account, seconds: 900 },
    loginAddress: { most: address, seconds: 900 },
    critical: { most: 8, seconds: 1200 },
  },
};
const first = await useTestApp({ config });
const second = await useTestApp({ beside: first, config });
const third = await useTestApp({ beside: first, config });
const nodes = [first, second, third] as const;

const login = async (node: TestApp, username: string, password: string, from: string) =>
  (await node.client().send(sessionApi.login, { body: { username, password }, headers: { 'x-forwarded-for': from } }))
    .status;

test('[A18.1] failed logins to an account from one address are counted across all nodes', async () => {
  const { username, password } = await first.createUser();
  const statuses: number[] = [];
  for (let count = 0; count < 15; count += 1) {
    statuses.push(await login(nodes[count % 3] ?? first, username, 'wrong', '203.0.113.1'));
  }
  expect(statuses).toEqual([...new Array(account).fill(200), ...new Array(15 - account).fill(429)]);
  for (const node of nodes) expect(await login(node, username, password, '203.0.113.1')).toBe(429);
});

test('[A18.1] an attack on an account delays unknown clients on every node, and a successful login resets this on all nodes', async () => {
  // Only the date is frozen.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { username, password } = await first.createUser();
  for (let count = 0; count < account; count += 1) {
    expect(await login(nodes[count % 3] ?? first, username, 'wrong', `10.0.0.${count}`)).toBe(200);
  }
  // Networks without failures get one attempt every ten seconds.
  expect(await login(second, username, 'wrong', '198.51.100.1')).toBe(200);
  expect(await login(third, username, password, '198.51.100.2')).toBe(429);
  vi.setSystemTime(Date.now() + 10_000);
  expect(await login(first, username, password, '198.51.100.3')).toBe(200);
  expect(await login(second, username, 'wrong', '198.51.100.4')).toBe(200);
  expect(await login(third, username, 'wrong', '198.51.100.5')).toBe(200);
});

test('[A18.1] failed logins from an address are counted across all nodes, for any account', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 10; count += 1) {
    statuses.push(await login(nodes[count % 3] ?? first, `nobody${count}`, 'wrong', '203.0.113.2'));
  }
  expect(statuses).toEqual([...new Array(address).fill(200), ...new Array(10 - address).fill(429)]);
});

test('[A18.1] concurrent guesses on all nodes exceed the limit by at most one per further node', async () => {
  const { username } = await first.createUser();
  const guesses = Array.from({ length: 30 }, (_, index) =>
    login(nodes[index % 3] ?? first, username, `guess ${index}`, '203.0.113.3'),
  );
  const statuses = await Promise.all(guesses);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(account + 2);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(account);
});

test('[A18.1] critical requests from one address are counted exactly across all nodes', async () => {
  const call = async (node: TestApp) =>
    (
      await node.client().send(registrationApi.register, {
        body: { username: 'x', password: 'y' },
        headers: { 'x-forwarded-for': '203.0.113.4' },
      })
    ).status;
  const calls = Array.from({ length: 20 }, (_, index) => call(nodes[index % 3] ?? first));
  const statuses = await Promise.all(calls);
  expect(statuses.filter((status) => status !== 429)).toHaveLength(8);
});

test('the counter table contains neither usernames nor addresses', async () => {
  await login(first, 'my secret password', 'x', '203.0.113.5');
  const rows = await first.database.selectFrom('limit_counts').selectAll().execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/my secret|203\.0\.113/);
});

test.each([
  ['never-ending', { count: 1_000_000, ends_ms: Number.MAX_SAFE_INTEGER }, 4],
  ['at the largest integer', { count: sql<number>`9223372036854775807` }, 0],
  ['negative', { count: -1_000_000 }, 4],
  ['long expired', { ends_ms: sql<number>`-9223372036854775808` }, 4],
])('[A18.1] stored counters that are %s cause no error and no lock beyond the limit', async (_, odd, allowed) => {
  const loginAddress = { most: 4, seconds: 900 };
  await using node = await startTestApp({ config: { ...config, rateLimits: { ...none, loginAddress } } });
  expect(await login(node, 'nobody', 'wrong', '203.0.113.6')).toBe(200);
  await node.database.updateTable('limit_counts').set(odd).execute();
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) statuses.push(await login(node, 'nobody', 'wrong', '203.0.113.6'));
  expect(statuses).toEqual([...new Array(allowed).fill(200), ...new Array(6 - allowed).fill(429)]);
});
