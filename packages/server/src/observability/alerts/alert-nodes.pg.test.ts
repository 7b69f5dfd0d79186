import { alertApi, channelApi, sessionApi } from '@headgate/contract';
import { AlertDestinations, reply, StubUpstream } from '@headgate/testkit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { alertFixture, TestClock } from '../../testing/observability/alert-fixture.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const badKey = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);

async function threeNodes(clock: TestClock) {
  const stack = new AsyncDisposableStack();
  const options = { alertPace: { now: clock.now, pollMs: 20 } };
  const first = stack.use(
    await startTestApp({ ...options, options: { AutomaticDisableChannelEnabled: 'true', SystemName: 'Gate' } }),
  );
  const others = [
    stack.use(await startTestApp({ ...options, beside: first })),
    stack.use(await startTestApp({ ...options, beside: first })),
  ];
  return { first, nodes: [first, ...others], stack };
}

async function ruleFor(app: TestApp, out: AlertDestinations, rule: object) {
  const admin = await app.as('admin');
  const settings = out.settings()['webhook'] ?? {};
  const { id } = await admin.call(alertApi.addReceiver, { body: { kind: 'webhook', name: 'Hook', settings } });
  await admin.call(alertApi.addRule, { body: { kind: 'channel_disabled', receivers: [id], ...rule } });
  return admin;
}

test('an alert raised by three nodes is sent once', async () => {
  const clock = new TestClock();
  await using out = await AlertDestinations.start();
  const { first, stack } = await threeNodes(clock);
  await using _ = stack;
  // Slow, so that the other nodes check while one is still sending.
  out.faults.set('webhook', (__, response) => {
    setTimeout(() => response.writeHead(204).end(), 200);
    return undefined;
  });
  const admin = await ruleFor(first, out, {});
  const upstreams = [];
  for (let n = 0; n < 12; n += 1) {
    const upstream = await StubUpstream.start(badKey);
    upstreams.push(upstream);
    await createChannel(first, admin, { type: 8, base_url: upstream.url, models: 'gpt-4o', name: `c${n}` });
  }
  await admin.call(channelApi.testAll, { query: { scope: 'all' } });
  const states = async () =>
    (await admin.call(alertApi.history, { query: { size: 100 } })).map(({ state, tries }) => `${state} ${tries}`);
  await expect.poll(states).toEqual(Array.from({ length: 12 }, () => 'sent 1'));
  const ids = out.alerts.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(12);
  expect(new Set(ids).size).toBe(12);
  for (const upstream of upstreams) await upstream.close();
});

test('a rule created on one node applies on all, and an event on three nodes is sent once', async () => {
  const clock = new TestClock();
  await using out = await AlertDestinations.start();
  const { first, nodes, stack } = await threeNodes(clock);
  await using _ = stack;
  const admin = await ruleFor(first, out, { repeat_minutes: 60 });
  const upstream = await StubUpstream.start(badKey);
  const channel = await createChannel(first, admin, { type: 8, base_url: upstream.url, models: 'gpt-4o', name: 'one' });
  for (const node of nodes) {
    // Re-enables the channel in between, so that the same event occurs on every node.
    await first.database.updateTable('channels').set({ status: 1 }).where('id', '=', channel.id).execute();
    const there = await node.as('admin');
    await there.call(channelApi.testAll, { query: { scope: 'all' } });
    await expect.poll(async () => (await there.call(channelApi.testProgress)).running).toBe(false);
  }
  await expect.poll(() => out.alerts.length).toBe(1);
  await expect
    .poll(async () => (await admin.call(alertApi.history, { query: {} })).map(({ state }) => state))
    .toEqual(['sent']);
  await upstream.close();
});

test('a new network sends an alert even if the database was slow to store the previous one', async () => {
  await using scene = await alertFixture({ config: { trustedProxies: ['127.0.0.1'] } });
  await scene.rule({ kind: 'new_place' });
  const { username, password } = await scene.app.createUser({ role: 10 });
  await scene.app.database.transaction().execute(async (connection) => {
    await sql`lock table known_networks`.execute(connection);
    for (const address of ['192.0.2.1', '198.51.100.7']) {
      const client = scene.app.client();
      client.headers['x-forwarded-for'] = address;
      await client.call(sessionApi.login, { body: { username, password } });
    }
  });
  await expect.poll(() => scene.out.alerts.map(({ body }) => body.data.values.address)).toEqual(['198.51.100.7']);
});
