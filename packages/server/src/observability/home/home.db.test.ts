import { dashboardApi, defaultRoot, logType, role } from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { hashPassword } from '../../accounts/users/password.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const hour = 3600;
const thisHour = () => nowInSeconds() - (nowInSeconds() % hour);

test('admins see totals since a time, compared with the previous period', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  const begin = thisHour() - 23 * hour;
  const request = { type: logType.consumption, elapsed_time: 1000, first_byte_time: 100, quota: 10, cost: 4 };
  await writeLogs(app.database, [
    ...Array.from({ length: 98 }, (_, index) => ({ ...request, created_at: begin + index })),
    { ...request, elapsed_time: 8000, created_at: begin },
    { created_at: begin, type: logType.failure, elapsed_time: 5 },
    { ...request, quota: 7, created_at: begin - hour },
    { ...request, type: logType.management, quota: 0, created_at: begin },
  ]);
  const early = await admin.call(dashboardApi.read, { query: { start_timestamp: begin } });
  expect(early).toMatchObject({
    from: begin,
    now: { requests: 100, failures: 1, quota: 990, cost: 396 },
    before: null,
  });
  expect(early.now.elapsed_p50 / 1000).toBeCloseTo(1, 0);
  expect(early.now.elapsed_p95).toBeLessThan(1300);
  expect(early.now.first_byte_p50).toBeGreaterThan(80);
  expect(early.now.first_byte_p50).toBeLessThan(125);
  await writeLogs(app.database, [{ ...request, quota: 3, created_at: begin - 24 * hour }]);
  const { before } = await admin.call(dashboardApi.read, { query: { start_timestamp: begin } });
  expect(before).toMatchObject({ requests: 2, failures: 0, quota: 10 });
});

test('the home page shows up to its maximum period without a start time, and rejects a longer one', async () => {
  await using app = await startTestApp();
  const admin = await app.as('admin');
  const { from, to, now } = await admin.call(dashboardApi.read, { query: {} });
  expect(to + 1 - from).toBe((61 * 24 + 1) * hour);
  expect(now.requests).toBe(0);
  const rejected = await admin.request('GET', '/api/home?start_timestamp=1');
  expect(rejected.body).toMatchObject({ success: false });
});

test('failing channels are counted and listed with their last failure', async () => {
  await using app = await startTestApp();
  const scene = await relayFixture(app, { upstreams: [reply({ error: { message: 'Incorrect API key' } }, 401)] });
  await scene.chat();
  const { channels, ledger } = await scene.admin.call(dashboardApi.read, { query: { start_timestamp: thisHour() } });
  expect(channels).toMatchObject({
    failing: 1,
    troubled: [{ name: scene.group, status: 401, reason: 'key_rejected' }],
  });
  expect(ledger).toEqual({ drift: 0, set_aside: 0 });
  await scene.close();
});

test("a new user's onboarding steps are marked as done one by one", async () => {
  await using app = await startTestApp();
  const root = await app.createUser({ role: role.root });
  const client = await app.signedIn(root.username, root.password);
  const steps = async () => (await client.call(dashboardApi.read, { query: { start_timestamp: thisHour() } })).steps;
  expect(await steps()).toEqual({ password: true, channel: false, tested: false, token: false, request: false });
  const scene = await relayFixture(app, { upstreams: [completion()] });
  expect(await steps()).toMatchObject({ channel: true, token: false, request: false });
  expect((await scene.client.call(dashboardApi.readOwn)).steps).toMatchObject({ token: true, request: false });
  await (await scene.chat()).text();
  expect(await steps()).toMatchObject({ request: true });
  expect((await scene.client.call(dashboardApi.readOwn)).steps).toMatchObject({ token: true, request: true });
  await scene.close();
});

test('the check for the default password runs only for root', async () => {
  await using app = await startTestApp();
  const root = await app.createUser({ role: role.root });
  const admin = await app.createUser({ role: role.admin });
  const user = await app.createUser();
  const query = { start_timestamp: thisHour() };
  const clientOf = ({ username, password }: typeof user) => app.signedIn(username, password);
  const clients = [await clientOf(root), await clientOf(admin), await clientOf(user)] as const;
  const hash = await hashPassword(defaultRoot.password);
  await app.database.updateTable('users').set({ password_hash: hash }).execute();
  // The check takes as long as a login, so other users must not be able to trigger it.
  expect((await clients[0].call(dashboardApi.read, { query })).steps.password).toBe(false);
  expect((await clients[1].call(dashboardApi.read, { query })).steps.password).toBe(true);
  expect((await clients[2].call(dashboardApi.readOwn)).steps.password).toBe(true);
});

test('lists own tokens that are about to expire or run out of quota', async () => {
  await using app = await startTestApp();
  const user = await app.createUser();
  const other = await app.createUser();
  const client = await app.signedIn(user.username, user.password);
  const usual = {
    user_id: user.id,
    status: 1,
    created_time: 0,
    accessed_time: 0,
    expired_time: -1,
    subnet: '',
    models: '',
  };
  const limited = { ...usual, unlimited_quota: 0, key_sealed: '' };
  const week = 7 * 24 * hour;
  const rows = [
    { ...limited, name: 'nearly used up', remain_quota: 5, used_quota: 95 },
    { ...limited, name: 'half full', remain_quota: 50, used_quota: 50 },
    { ...limited, name: 'ends soon', remain_quota: 50, used_quota: 0, expired_time: nowInSeconds() + week / 2 },
    { ...limited, name: 'ends late', remain_quota: 50, used_quota: 0, expired_time: nowInSeconds() + 2 * week },
    { ...limited, name: 'is over', remain_quota: 5, used_quota: 95, expired_time: nowInSeconds() - 1 },
    { ...limited, name: 'is off', status: 2, remain_quota: 5, used_quota: 95 },
    { ...limited, name: 'another’s', user_id: other.id, remain_quota: 5, used_quota: 95 },
    { ...limited, name: 'unlimited', unlimited_quota: 1, remain_quota: 0, used_quota: 95 },
  ];
  const withKeys = rows.map((row, index) => ({ ...row, key_hash: `hash ${index}` }));
  await app.database.insertInto('tokens').values(withKeys).execute();
  const { tokens } = await client.call(dashboardApi.readOwn);
  expect(tokens.map(({ name }) => name)).toEqual(['nearly used up', 'ends soon']);
});
