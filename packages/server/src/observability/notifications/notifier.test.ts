import { channelApi, channelStatus, role } from '@headgate/contract';
import { LoginProviders, Mailbox, reply, StubUpstream } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { createChannel, storedChannel } from '../../testing/catalog/channel-fixtures.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const mailOptions = ({ port }: Mailbox) => ({
  SMTPServer: '127.0.0.1',
  SMTPPort: String(port),
  SMTPFrom: 'gateway@example.com',
  SystemName: 'Gate',
  AutomaticDisableChannelEnabled: 'true',
  AutomaticEnableChannelEnabled: 'true',
});
const badKey = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);
const fine = reply({ choices: [{ message: { content: 'yes' } }], usage: { total_tokens: 3 } });

const giveRootAnAddress = (app: TestApp) =>
  app.database.updateTable('users').set({ email: 'root@example.com' }).where('role', '=', role.root).execute();

async function testAll(app: TestApp): Promise<void> {
  const admin = await app.as('admin');
  await admin.call(channelApi.testAll, { query: { scope: 'all' } });
  await expect.poll(async () => (await admin.call(channelApi.testProgress)).running).toBe(false);
}

async function failingChannel(app: TestApp, name: string) {
  const upstream = await StubUpstream.start(badKey);
  const admin = await app.as('admin');
  const channel = await createChannel(app, admin, { type: 8, base_url: upstream.url, models: 'gpt-4o', name });
  return { upstream, channel };
}

describe('automatically disabled channel', () => {
  test('a disabled channel is reported to root by email in both languages, and so is its recovery', async () => {
    await using box = await Mailbox.start();
    await using app = await startTestApp({ options: mailOptions(box) });
    await giveRootAnAddress(app);
    const { upstream, channel } = await failingChannel(app, 'East <1>');
    await testAll(app);
    const mail = await box.mailTo('root@example.com');
    expect(mail.subject).toBe('Gate: channel East <1> was disabled · Gate 渠道状态变更提醒');
    expect(mail.text).toContain(`Channel "East <1>" (#${channel.id}) was disabled automatically.`);
    expect(mail.text).toContain('Reason: Incorrect API key provided');
    expect(mail.text).toContain(`渠道「East <1>」（#${channel.id}）已被自动禁用。`);
    expect(mail.raw).not.toContain('East <1></p>');
    upstream.handler = fine;
    await testAll(app);
    expect(await storedChannel(app, channel.id)).toMatchObject({ status: channelStatus.enabled });
    await expect
      .poll(() => box.mails.map(({ subject }) => subject))
      .toEqual([
        'Gate: channel East <1> was disabled · Gate 渠道状态变更提醒',
        'Gate: channel East <1> was enabled again · Gate 渠道状态变更提醒',
      ]);
    await upstream.close();
  });

  test('a disabled channel is reported through the pusher if set, and then not by email', async () => {
    await using box = await Mailbox.start();
    await using pusher = await LoginProviders.start();
    await using app = await startTestApp({
      options: { ...mailOptions(box), MessagePusherAddress: `${pusher.url}/push`, MessagePusherToken: 'push-token' },
    });
    await giveRootAnAddress(app);
    const { upstream, channel } = await failingChannel(app, 'West');
    await testAll(app);
    await expect.poll(() => pusher.calls.length).toBe(1);
    expect(pusher.calls[0]).toMatchObject({
      method: 'POST',
      path: '/push',
      body: {
        title: 'Gate: channel West was disabled · Gate 渠道状态变更提醒',
        content: expect.stringContaining(`渠道「West」（#${channel.id}）已被自动禁用。`),
        description: expect.any(String),
        url: '',
        channel: '',
        token: 'push-token',
      },
    });
    expect(box.mails).toEqual([]);
    await upstream.close();
  });

  test('[A57.1] a disabled channel cannot add markup, mentions or links with its name or reason', async () => {
    const hostile = '[x](https://evil.example) ![p](https://evil.example/p.png) @everyone <img src=x> **b** # h';
    const hostileError = reply({ error: { message: `${hostile}\r\n# h`, code: 'invalid_api_key' } }, 401);
    await using box = await Mailbox.start();
    await using pusher = await LoginProviders.start();
    await using app = await startTestApp({
      options: { ...mailOptions(box), MessagePusherAddress: `${pusher.url}/push` },
    });
    await giveRootAnAddress(app);
    const { upstream, channel } = await failingChannel(app, hostile.slice(0, 60));
    upstream.handler = hostileError;
    await testAll(app);
    await expect.poll(() => pusher.calls.length).toBe(1);
    const { title, description, content = '' } = (pusher.calls[0]?.body ?? {}) as Partial<Record<string, string>>;
    for (const text of [title, description, content]) expect(text).not.toMatch(/:\/\/|evil\.example|@e/);
    expect(content.split('\n\n')).toHaveLength(4);
    expect(content).toContain(`（#${channel.id}）`);
    const shown = content.replace(/[(（]#\d+[)）]/g, '').replace(/\\./gsu, '');
    expect(shown).not.toMatch(/[<>[\]()*_`~|#@]/);
    pusher.faults.set('/push', (_: unknown, response: { destroy(): void }) => response.destroy());
    const other = await failingChannel(app, 'Another');
    other.upstream.handler = hostileError;
    await testAll(app);
    const { text, html } = await box.mailTo('root@example.com');
    for (const body of [text, html]) expect(body).not.toMatch(/:\/\/|evil\.example/);
    expect(html).not.toContain('<img');
    await Promise.all([upstream.close(), other.upstream.close()]);
  });

  test('the notification is emailed when the pusher rejects it, disconnects or returns invalid JSON', async () => {
    await using box = await Mailbox.start();
    await using pusher = await LoginProviders.start();
    await using app = await startTestApp({
      options: { ...mailOptions(box), MessagePusherAddress: `${pusher.url}/push` },
    });
    await giveRootAnAddress(app);
    const faults = {
      rejects: (_: unknown, response: { end(text: string): void }) => response.end('{"success":false}'),
      disconnects: (_: unknown, response: { destroy(): void }) => response.destroy(),
      nonsense: (_: unknown, response: { end(text: string): void }) => response.end('<html>'),
    };
    for (const [name, fault] of Object.entries(faults)) {
      pusher.faults.set('/push', fault);
      const { upstream } = await failingChannel(app, name);
      await testAll(app);
      await expect
        .poll(() => box.mails.map(({ subject }) => subject))
        .toContainEqual(expect.stringMatching(`^Gate: channel ${name} was disabled`));
      await upstream.close();
    }
  });

  test('a disabled channel is reported once to the admins if root has no address', async () => {
    await using box = await Mailbox.start();
    await using app = await startTestApp({ options: mailOptions(box) });
    await app.createUser({ role: role.admin, email: 'admin1@example.com' });
    await app.createUser({ role: role.admin, email: 'banned@example.com', status: 2 });
    await app.createUser({ email: 'user@example.com' });
    const { upstream } = await failingChannel(app, 'South');
    await testAll(app);
    await testAll(app);
    await box.mailTo('admin1@example.com');
    expect(box.mails.map(({ to }) => to)).toEqual([['admin1@example.com']]);
    await upstream.close();
  });

  test('a disabled channel is reported when the relay detects a rejected key', async () => {
    await using box = await Mailbox.start();
    await using app = await startTestApp({ options: mailOptions(box) });
    await giveRootAnAddress(app);
    const scene = await relayFixture(app, { upstreams: [badKey] });
    await scene.chat();
    expect((await box.mailTo('root@example.com')).subject).toMatch(/^Gate: channel .+ was disabled/);
    await scene.close();
  });

  test('causes no error if no email can be sent', async () => {
    await using app = await startTestApp({ options: { AutomaticDisableChannelEnabled: 'true' } });
    await giveRootAnAddress(app);
    const { upstream, channel } = await failingChannel(app, 'Quiet');
    await testAll(app);
    expect(await storedChannel(app, channel.id)).toMatchObject({ status: channelStatus.disabledByMonitor });
    await upstream.close();
  });
});
