import { alertApi, channelApi } from '@headgate/contract';
import { Mailbox, reply, StubUpstream } from '@headgate/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { type AlertFixture, alertFixture, useAlertFixture } from '../../testing/observability/alert-fixture.ts';

const rejection = (message: string) => reply({ error: { message, code: 'invalid_api_key' } }, 401);
const fine = reply({ choices: [{ message: { content: 'yes' } }], usage: { total_tokens: 3 } });
const disabling = {
  AutomaticDisableChannelEnabled: 'true',
  AutomaticEnableChannelEnabled: 'true',
  SystemName: 'Gate',
} as const;

const scene = await useAlertFixture({ options: disabling });

/** `testAll` would also test the channels of earlier tests. */
beforeEach(async () => {
  for (const { id } of await scene.admin.call(channelApi.list, { query: { size: 100 } }))
    await scene.admin.call(channelApi.remove, { params: { id } });
});

async function testAll({ admin }: AlertFixture): Promise<void> {
  await admin.call(channelApi.testAll, { query: { scope: 'all' } });
  await expect.poll(async () => (await admin.call(channelApi.testProgress)).running).toBe(false);
}

/** Creates a channel that the next test run disables. */
async function failing(scene: AlertFixture, name: string, fields: object = {}, message = 'Incorrect API key provided') {
  const upstream = await StubUpstream.start(rejection(message));
  const given = { type: 8, base_url: upstream.url, models: 'gpt-4o', name, ...fields };
  const channel = await createChannel(scene.app, scene.admin, given);
  return { channel, upstream };
}

const titles = ({ out }: AlertFixture) => out.alerts.map(({ body }) => body.data.title);

describe('alert rule', () => {
  test('notifies its destinations, instead of root, of a disabled channel and its recovery', async () => {
    await using box = await Mailbox.start();
    const mail = { SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gate@example.com' };
    await using own = await alertFixture({ options: { ...disabling, ...mail } });
    await own.app.database.updateTable('users').set({ email: 'root@example.com' }).where('role', '=', 100).execute();
    const slack = await own.receiver('slack');
    const webhook = await own.receiver('webhook');
    await own.rule({ kind: 'channel_disabled', receivers: [webhook.id, slack.id] });
    await own.rule({ kind: 'channel_enabled', receivers: [webhook.id] });
    const { channel, upstream } = await failing(own, 'East');
    await testAll(own);
    await expect.poll(() => own.out.alerts.map(({ receiver }) => receiver).sort()).toEqual(['slack', 'webhook']);
    expect(own.out.alerts.find(({ receiver }) => receiver === 'webhook')?.body).toEqual({
      type: 'channel_disabled',
      timestamp: new Date(own.clock.seconds * 1000).toISOString(),
      data: {
        gateway: 'Gate',
        title: 'Gate: channel East was disabled',
        lines: [`Channel "East" (#${channel.id}) was disabled automatically.`, 'Reason: Incorrect API key provided'],
        link: '',
        urgent: true,
        values: { id: channel.id, channel: 'East', reason: 'Incorrect API key provided' },
      },
    });
    upstream.handler = fine;
    await testAll(own);
    await expect.poll(() => own.out.alerts.length).toBe(3);
    expect(own.out.alerts[2]?.body.data.title).toBe('Gate: channel East was enabled again');
    await expect.poll(own.history).toMatchObject([
      { kind: 'channel_enabled', state: 'sent', tries: 1, receiver_name: 'webhook', last_error: '' },
      { kind: 'channel_disabled', state: 'sent', tries: 1 },
      { kind: 'channel_disabled', state: 'sent', tries: 1 },
    ]);
    expect(box.mails).toEqual([]);
    await upstream.close();
  });

  test('an alert rule can be limited to channels or a tag, and sends nothing while disabled', async () => {
    const one = await failing(scene, 'One', { tag: 'blue' });
    const two = await failing(scene, 'Two', { tag: 'red' });
    const three = await failing(scene, 'Three');
    await scene.rule({ kind: 'channel_disabled', tag: 'blue' });
    await scene.rule({ kind: 'channel_disabled', channels: [two.channel.id] });
    await scene.rule({ kind: 'channel_disabled', enabled: false });
    await testAll(scene);
    await expect
      .poll(() => titles(scene).sort())
      .toEqual(['Gate: channel One was disabled', 'Gate: channel Two was disabled']);
    expect(await scene.history()).toHaveLength(2);
    for (const { upstream } of [one, two, three]) await upstream.close();
  });

  test('sends a destination one alert per event even if several rules match', async () => {
    await scene.rule({ kind: 'channel_disabled', name: 'first' });
    await scene.rule({ kind: 'channel_disabled', name: 'second' });
    const { upstream } = await failing(scene, 'One');
    await testAll(scene);
    await expect.poll(() => titles(scene)).toHaveLength(1);
    expect(await scene.history()).toHaveLength(1);
    await upstream.close();
  });

  test('an alert rule does not repeat an alert within its interval', async () => {
    await scene.rule({ kind: 'channel_disabled', repeat_minutes: 60 });
    const { upstream } = await failing(scene, 'One');
    const other = await failing(scene, 'Two');
    const again = async () => {
      upstream.handler = fine;
      await testAll(scene);
      upstream.handler = rejection('Incorrect API key provided');
      await testAll(scene);
    };
    await testAll(scene);
    await expect.poll(() => titles(scene)).toHaveLength(2);
    scene.clock.seconds += 59 * 60;
    await again();
    expect(await scene.history()).toHaveLength(2);
    scene.clock.seconds += 60;
    await again();
    await expect.poll(() => titles(scene).slice(2)).toEqual(['Gate: channel One was disabled']);
    await Promise.all([upstream.close(), other.upstream.close()]);
  });

  test('delays alerts during overnight quiet hours until the morning', async () => {
    // 23:10 in Shanghai, which is eight hours ahead of UTC.
    scene.clock.seconds = Date.UTC(2026, 0, 5, 15, 10, 20) / 1000;
    const quiet = { quiet_from: '22:00', quiet_to: '07:30', time_zone: 'Asia/Shanghai' };
    await scene.rule({ kind: 'channel_disabled', ...quiet });
    const { upstream } = await failing(scene, 'One');
    await testAll(scene);
    const morning = Date.UTC(2026, 0, 5, 23, 30) / 1000;
    await expect.poll(scene.history).toMatchObject([{ state: 'waiting', next_time: morning, tries: 0 }]);
    scene.clock.seconds = morning - 1;
    await scene.rule({ kind: 'new_admin' });
    expect(await scene.history()).toMatchObject([{ state: 'waiting', tries: 0 }]);
    expect(scene.out.alerts).toEqual([]);
    scene.clock.seconds = morning;
    await expect.poll(() => titles(scene)).toHaveLength(1);
    await upstream.close();
  });

  test('stores an alert rule as given, changes and deletes it, and rejects invalid ones', async () => {
    const { id: receiver } = await scene.receiver();
    const receivers = [receiver, receiver];
    const given = { kind: 'failure_rate' as const, threshold: 25, window_minutes: 5, receivers };
    const { id } = await scene.admin.call(alertApi.addRule, { body: given });
    expect(await scene.admin.call(alertApi.rules)).toMatchObject([{ id, threshold: 25, receivers: [receiver] }]);
    await scene.admin.call(alertApi.updateRule, { params: { id }, body: { ...given, threshold: 30, name: 'Bad' } });
    expect(await scene.admin.call(alertApi.rules)).toMatchObject([{ id, threshold: 30, name: 'Bad' }]);
    const bad = [
      { ...given, threshold: 101 },
      { ...given, threshold: 0 },
      { ...given, threshold: Number.NaN },
      { ...given, kind: 'new_admin' },
      { ...given, receivers: [] },
      { ...given, receivers: [receiver + 1000] },
      { ...given, quiet_from: '22:00' },
      { ...given, quiet_from: '22:00', quiet_to: '22:00' },
      { ...given, quiet_from: '24:00', quiet_to: '07:00' },
      { ...given, time_zone: 'Moon/Crater' },
      { ...given, kind: 'constructor' },
    ];
    for (const body of bad)
      expect((await scene.admin.send(alertApi.addRule, { body })).body).toMatchObject({ success: false });
    await scene.admin.call(alertApi.removeRule, { params: { id } });
    expect(await scene.admin.call(alertApi.rules)).toEqual([]);
  });

  test('a deleted destination is removed from its rules, and a rule without destinations is disabled', async () => {
    const receiver = await scene.receiver();
    scene.out.faults.set('webhook', () => ({ status: 503, body: '' }));
    await scene.rule({ kind: 'channel_disabled' });
    const { upstream } = await failing(scene, 'One');
    await testAll(scene);
    await expect.poll(scene.history).toMatchObject([{ state: 'waiting', tries: 1, last_error: 'HTTP 503' }]);
    await scene.admin.call(alertApi.removeReceiver, { params: { id: receiver.id } });
    expect(await scene.admin.call(alertApi.rules)).toMatchObject([{ enabled: false, receivers: [] }]);
    expect(await scene.history()).toMatchObject([{ state: 'failed', last_error: 'the destination was deleted' }]);
    await upstream.close();
  });
});

describe('failed delivery', () => {
  const begin = async (fault: Parameters<AlertFixture['out']['faults']['set']>[1]) => {
    scene.out.faults.set('webhook', fault);
    await scene.rule({ kind: 'channel_disabled' });
    const { upstream } = await failing(scene, 'One');
    await testAll(scene);
    await upstream.close();
  };

  test('a failed delivery is retried at growing intervals with the same id, up to a limit', async () => {
    await begin(() => ({ status: 500, body: 'no' }));
    const pauses = [30, 120, 600, 3600, 21_600];
    for (const [index, pause] of pauses.entries()) {
      const next_time = scene.clock.seconds + pause;
      await expect
        .poll(scene.history)
        .toMatchObject([{ state: 'waiting', tries: index + 1, next_time, last_error: 'HTTP 500: no' }]);
      scene.clock.seconds += pause;
    }
    await expect.poll(scene.history).toMatchObject([{ state: 'failed', tries: 6, last_error: 'HTTP 500: no' }]);
    expect(new Set(scene.out.alerts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(scene.out.alerts).toHaveLength(6);
    scene.out.faults.clear();
    const [{ id }] = (await scene.history()) as [{ id: number }];
    await scene.admin.call(alertApi.sendAgain, { params: { id } });
    await expect.poll(scene.history).toMatchObject([{ state: 'sent', tries: 1 }]);
    expect((await scene.admin.send(alertApi.sendAgain, { params: { id } })).body).toMatchObject({ success: false });
  });

  test("a retry waits as long as the destination's Retry-After requires", async () => {
    await begin(() => ({ status: 429, body: '', headers: { 'retry-after': '200' } }));
    const next_time = scene.clock.seconds + 200;
    await expect.poll(scene.history).toMatchObject([{ state: 'waiting', tries: 1, next_time }]);
  });

  test('a delivery with a permanent error is not retried', async () => {
    await begin(() => ({ status: 410, body: 'gone' }));
    await expect.poll(scene.history).toMatchObject([{ state: 'failed', tries: 1, last_error: 'HTTP 410: gone' }]);
  });

  test('a delivery is retried after a disconnect', async () => {
    await begin((_, response) => {
      response.destroy();
      return undefined;
    });
    await expect.poll(scene.history).toMatchObject([{ state: 'waiting', tries: 1 }]);
  });
});
