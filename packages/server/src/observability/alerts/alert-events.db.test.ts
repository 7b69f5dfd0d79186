import {
  alertApi,
  channelKeyApi,
  organizationApi,
  organizationInvitationApi,
  organizationMemberApi,
  organizationTokenApi,
  sessionApi,
  userApi,
} from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { type AlertFixture, alertFixture, useAlertFixture } from '../../testing/observability/alert-fixture.ts';
import { multiKeyFixture, numberedKey, rejectedKeyResponse } from '../../testing/relay/multi-key-fixture.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';

const scene = await useAlertFixture({
  options: { RetryTimes: '1', AutomaticDisableChannelEnabled: 'true', AutomaticEnableChannelEnabled: 'true' },
  config: { trustedProxies: ['127.0.0.1'] },
});

const failure = reply({ error: { message: 'overloaded' } }, 503);

const sentAlerts = ({ out }: AlertFixture) => out.alerts.map(({ body }) => [body.type, body.data.values]);

/** Waits for several checks; an alert that has not been sent by then is not sent at all. */
async function staysSilent(scene: AlertFixture): Promise<void> {
  const before = scene.out.alerts.length;
  await scene.rule({ kind: 'ledger_drift' });
  const looked = async () =>
    (await scene.app.database.selectFrom('alert_claims').select('time').where('subject', '=', 'ledger').execute()).map(
      ({ time }) => time,
    );
  scene.clock.seconds += 601;
  await expect.poll(looked).toEqual([scene.clock.seconds]);
  expect(scene.out.alerts.length).toBe(before);
}

describe('channel failure alerts', () => {
  test('channel failure alerts are sent above the rule’s threshold, even if another channel served the requests', async () => {
    await scene.rule({ kind: 'failure_rate', threshold: 50, least_requests: 1, window_minutes: 5, repeat_minutes: 60 });
    const relay = await relayFixture(scene.app, { upstreams: [failure, completion()] });
    expect((await relay.chat()).status).toBe(200);
    scene.clock.seconds += 60;
    await expect.poll(() => sentAlerts(scene).length).toBe(1);
    expect(sentAlerts(scene)).toMatchObject([
      ['failure_rate', { percent: 100, requests: 1, minutes: 5, threshold: 50, channel: relay.group }],
    ]);
    await staysSilent(scene);
    await relay.close();
  });

  test('alerts for the whole gateway count only failures that clients saw', async () => {
    await scene.rule({ kind: 'failure_rate', per: 'gateway', threshold: 40, least_requests: 3, repeat_minutes: 60 });
    const good = await relayFixture(scene.app, { upstreams: [completion()] });
    const bad = await relayFixture(scene.app, { upstreams: [failure] });
    expect((await good.chat()).status).toBe(200);
    for (let count = 0; count < 2; count += 1) expect((await bad.chat()).status).toBeGreaterThanOrEqual(500);
    scene.clock.seconds += 60;
    await expect.poll(() => sentAlerts(scene).length).toBe(1);
    expect(sentAlerts(scene)).toMatchObject([['failure_rate', { requests: 3, failures: 2, percent: 66.7 }]]);
    await Promise.all([good.close(), bad.close()]);
  });

  test('channel failure alerts are not sent for few requests or old failures', async () => {
    await scene.rule({ kind: 'failure_rate', per: 'gateway', threshold: 10, least_requests: 2, window_minutes: 5 });
    const bad = await relayFixture(scene.app, { upstreams: [failure] });
    await bad.chat();
    scene.clock.seconds += 6 * 60;
    await bad.chat();
    await staysSilent(scene);
    await bad.close();
  });
});

test('a key that is disabled, re-enabled or disables its channel sends an alert with the reason', async () => {
  await scene.rule({ kind: 'channel_disabled' });
  await scene.rule({ kind: 'channel_enabled' });
  const { chat, upstream, group, idOf, params, close } = await multiKeyFixture(scene.app, 2);
  const test = async (index: number) =>
    scene.admin.call(channelKeyApi.test, { params, body: { key: await idOf(index) } });
  upstream.say(numberedKey(1), rejectedKeyResponse);
  for (let count = 0; count < 3; count += 1) expect((await chat()).status).toBe(200);
  const first = { id: params.id, channel: `${group}: key …nt-1 (#${await idOf(0)})`, key: expect.any(String) };
  const reason = 'Incorrect API key provided';
  await expect.poll(() => sentAlerts(scene)).toMatchObject([['channel_disabled', { ...first, reason }]]);
  upstream.say(numberedKey(1), completion());
  await test(0);
  await expect.poll(() => sentAlerts(scene).slice(1)).toMatchObject([['channel_enabled', first]]);
  for (const number of [1, 2]) {
    upstream.say(numberedKey(number), rejectedKeyResponse);
    await test(number - 1);
  }
  await expect
    .poll(() => sentAlerts(scene).slice(2))
    .toMatchObject([
      ['channel_disabled', first],
      ['channel_disabled', { id: params.id, channel: group, reason }],
    ]);
  await close();
});

test('a rule with a repeat interval still alerts for each key and for the channel', async () => {
  await scene.rule({ kind: 'channel_disabled', repeat_minutes: 60 });
  const { upstream, group, idOf, params, close } = await multiKeyFixture(scene.app, 2);
  for (const number of [1, 2]) {
    upstream.say(numberedKey(number), rejectedKeyResponse);
    await scene.admin.call(channelKeyApi.test, { params, body: { key: await idOf(number - 1) } });
  }
  const names = () => sentAlerts(scene).map(([, { channel }]) => channel);
  const keys = [`${group}: key …nt-1 (#${await idOf(0)})`, `${group}: key …nt-2 (#${await idOf(1)})`];
  await expect.poll(() => names().length).toBeGreaterThanOrEqual(2);
  expect(names()).toEqual(expect.arrayContaining([keys[0], group]));
  expect(new Set(names()).size).toBe(names().length);
  await close();
});

test('slow responses send an alert', async () => {
  const slow = completion();
  await scene.rule({ kind: 'latency', per: 'gateway', threshold: 0.1, least_requests: 1, repeat_minutes: 60 });
  const relay = await relayFixture(scene.app, {
    upstreams: [(request, response) => void setTimeout(() => slow(request, response), 300)],
  });
  expect((await relay.chat()).status).toBe(200);
  scene.clock.seconds += 60;
  await expect.poll(() => sentAlerts(scene).length).toBe(1);
  expect(sentAlerts(scene)[0]?.[1].seconds).toBeGreaterThan(0.1);
  await relay.close();
});

describe('balance alerts', () => {
  test("balance alerts are sent to the rule's groups when a user's balance falls below the threshold", async () => {
    const relay = await relayFixture(scene.app, { upstreams: [completion()], quota: 1_000_000 });
    const other = await relayFixture(scene.app, { upstreams: [completion()], quota: 1_000_000 });
    await scene.rule({ kind: 'user_balance', threshold: 1_000_000, group: relay.group });
    expect((await other.chat()).status).toBe(200);
    expect((await relay.chat()).status).toBe(200);
    expect((await relay.chat()).status).toBe(200);
    await expect.poll(() => sentAlerts(scene).length).toBe(1);
    expect(sentAlerts(scene)).toMatchObject([['user_balance', { user: relay.user.username }]]);
    await staysSilent(scene);
    await Promise.all([relay.close(), other.close()]);
  });

  test('balance alerts of organizations have their own rules', async () => {
    const relay = await relayFixture(scene.app, { upstreams: [completion()], quota: 1_000_000 });
    const { id, name } = await relay.client.call(organizationApi.create, { body: { name: `Low ${relay.group}` } });
    await relay.client.call(organizationApi.transfer, { params: { id }, body: { quota: 1_000_000 } });
    await relay.client.call(organizationTokenApi.move, {
      params: { id: relay.token.id },
      body: { organization_id: id },
    });
    await scene.rule({ kind: 'user_balance', threshold: 1_000_000 });
    await scene.rule({ kind: 'organization_balance', threshold: 1_000_000 });
    expect((await relay.chat()).status).toBe(200);
    await expect.poll(() => sentAlerts(scene).length).toBe(1);
    expect(sentAlerts(scene)).toMatchObject([['organization_balance', { id, organization: name }]]);
    await staysSilent(scene);
    await relay.close();
  });

  test('an alert is sent when a user joins an organization', async () => {
    await scene.rule({ kind: 'member_added' });
    const [owner, guest] = [await scene.app.as('user'), await scene.app.as('user')];
    const { id, name } = await owner.call(organizationApi.create, { body: { name: 'Joined' } });
    const { token } = await owner.call(organizationMemberApi.invite, { params: { id }, body: { role: 'viewer' } });
    await guest.call(organizationInvitationApi.accept, { body: { token } });
    const { username } = await guest.call(userApi.self);
    await expect.poll(() => sentAlerts(scene).length).toBe(2);
    expect(sentAlerts(scene)[1]).toMatchObject([
      'member_added',
      { organization: name, user: username, role: 'viewer' },
    ]);
  });

  test("balance alerts are sent when a channel's balance is below the threshold, if it was ever read", async () => {
    for (const [name, balance, balance_updated_time] of [
      ['poor', 1.5, 1],
      ['rich', 50, 1],
      ['unknown', 0, 0],
    ] as const) {
      const relay = await relayFixture(scene.app, { upstreams: [completion()], channel: { name } });
      await scene.app.database
        .updateTable('channels')
        .set({ balance, balance_updated_time })
        .where('name', '=', name)
        .execute();
      await relay.close();
    }
    await scene.rule({ kind: 'channel_balance', threshold: 5, repeat_minutes: 1440 });
    await expect.poll(() => sentAlerts(scene).length).toBe(1);
    expect(sentAlerts(scene)).toMatchObject([['channel_balance', { channel: 'poor', left: '$1.50', threshold: '$5' }]]);
    await staysSilent(scene);
  });
});

test('a model without a price sends one alert, and a priced model sends none', async () => {
  await scene.rule({ kind: 'unpriced_model', repeat_minutes: 1440 });
  const relay = await relayFixture(scene.app, {
    upstreams: [completion()],
    channel: { models: 'gpt-4o,nobody-priced-this' },
  });
  for (let count = 0; count < 3; count += 1) {
    expect((await relay.chat({ model: 'gpt-4o' })).status).toBe(200);
    expect((await relay.chat({ model: 'nobody-priced-this' })).status).toBe(200);
    scene.clock.seconds += 120;
  }
  await expect.poll(() => sentAlerts(scene)).toEqual([['unpriced_model', { model: 'nobody-priced-this' }]]);
  await staysSilent(scene);
  await relay.close();
});

test('an unbalanced ledger sends an alert', async () => {
  await using own = await alertFixture();
  await own.app.createUser({ quota: 5, credited: 20 });
  await own.rule({ kind: 'ledger_drift', repeat_minutes: 1440 });
  await expect.poll(() => sentAlerts(own)).toEqual([['ledger_drift', { drift: 15, aside: 0 }]]);
});

test('a new admin sends an alert, but other user changes do not', async () => {
  await scene.rule({ kind: 'new_admin' });
  const root = await scene.app.as('root');
  const { username, id } = await scene.app.createUser();
  for (const action of ['disable', 'enable', 'promote', 'demote'] as const)
    await root.call(userApi.manage, { body: { username, action } });
  await expect.poll(() => sentAlerts(scene).length).toBe(1);
  expect(sentAlerts(scene)).toMatchObject([['new_admin', { id, user: username }]]);
  await staysSilent(scene);
});

describe('admin sign-in alerts', () => {
  const signIn = async (scene: AlertFixture, person: { username: string; password: string }, address: string) => {
    const client = scene.app.client();
    client.headers['x-forwarded-for'] = address;
    const { username, password } = person;
    await client.call(sessionApi.login, { body: { username, password } });
  };
  const addresses = (scene: AlertFixture) => sentAlerts(scene).map(([, values]) => values.address);

  test('admin sign-in alerts are sent for a new network, but not for a known one, the first one, or users', async () => {
    await scene.rule({ kind: 'new_place' });
    const admin = await scene.app.createUser({ role: 10 });
    const user = await scene.app.createUser();
    for (const address of [
      '192.0.2.1',
      '192.0.2.200',
      '198.51.100.7',
      '192.0.2.9',
      '2001:db8:1:2::1',
      '2001:db8:1:3::1',
    ])
      await signIn(scene, admin, address);
    for (const address of ['192.0.2.1', '203.0.113.5']) await signIn(scene, user, address);
    await expect.poll(() => addresses(scene)).toEqual(['198.51.100.7', '2001:db8:1:2::1']);
    await staysSilent(scene);
  });

  test('[A41.4] a bounded number of networks is stored', async () => {
    const admin = await scene.app.createUser({ role: 10 });
    for (let count = 0; count < 60; count += 1) await signIn(scene, admin, `10.0.${count}.1`);
    const known = () =>
      scene.app.database.selectFrom('known_networks').selectAll().where('user_id', '=', admin.id).execute();
    await expect.poll(async () => (await known()).length).toBe(50);
  });
});

test('[A41.4] the queue is bounded', async () => {
  await scene.rule({ kind: 'new_admin' });
  const row = {
    kind: 'new_admin',
    receiver_id: 1,
    receiver_kind: 'webhook',
    receiver_name: 'x',
    title: 'x',
    message: '{"lines":[]}',
    state: 'waiting' as const,
    created_time: scene.clock.seconds,
    next_time: scene.clock.seconds + 86_400,
  };
  const rows = Array.from({ length: 5000 }, (_, index) => ({ ...row, event_id: `e${index}` }));
  for (let at = 0; at < rows.length; at += 500)
    await scene.app.database
      .insertInto('alert_queue')
      .values(rows.slice(at, at + 500))
      .execute();
  const root = await scene.app.as('root');
  const { username } = await scene.app.createUser();
  await root.call(userApi.manage, { body: { username, action: 'promote' } });
  await staysSilent(scene);
  expect((await scene.admin.send(alertApi.history, { query: { size: 1 } })).headers.get('x-total-count')).toBe('5000');
});
