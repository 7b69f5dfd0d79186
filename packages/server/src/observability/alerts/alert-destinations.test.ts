import { alertApi, type DestinationKind, destinationKindNames, logApi, userApi } from '@headgate/contract';
import { AlertDestinations, destinationSecrets, Mailbox } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { alertFixture, useAlertFixture } from '../../testing/observability/alert-fixture.ts';

const scene = await useAlertFixture({ options: { SystemName: 'Gate' } });
const byHttp = destinationKindNames.filter((kind) => kind !== 'email');

describe('test message of a destination', () => {
  test.each(byHttp)(
    'a test message is sent to %s in its documented format, and the response is returned',
    async (kind) => {
      const { id } = await scene.receiver(kind);
      const result = await scene.admin.call(alertApi.testReceiver, { params: { id } });
      expect(result).toMatchObject({ ok: true, answer: expect.stringMatching(/^HTTP 20/) });
      expect(scene.out.alerts).toHaveLength(1);
      expect(scene.out.alerts[0]?.text).toContain('Gate: test alert');
      expect(await scene.admin.call(alertApi.receivers)).toMatchObject([{ id, last_error: '' }]);
    },
  );

  const wrong: readonly [DestinationKind, Record<string, string>, string][] = [
    ['webhook', { secret: 'another secret of 16' }, 'HTTP 401: bad signature'],
    ['lark', { secret: 'another secret' }, 'HTTP 200, code 19021, sign match fail or timestamp is not within one hour'],
    ['dingtalk', { secret: 'another secret' }, 'HTTP 200, errcode 310000, sign not match'],
    ['telegram', { chat_id: '7' }, 'HTTP 400, ok false, Bad Request: chat not found'],
    ['ntfy', { token: 'tk_another_one' }, 'HTTP 403: {"code":40301,"http":403,"error":"forbidden"}'],
    ['pusher', { token: 'another token' }, 'HTTP 200, success false, invalid token'],
  ];
  test.each(wrong)('returns the rejection of %s, even with status 200', async (kind, settings, answer) => {
    const { id } = await scene.receiver(kind);
    const body = { name: 'changed', settings: { ...scene.out.settings()[kind], ...settings } };
    await scene.admin.call(alertApi.updateReceiver, { params: { id }, body });
    const result = await scene.admin.call(alertApi.testReceiver, { params: { id } });
    expect(result).toMatchObject({ ok: false, answer });
    expect(await scene.admin.call(alertApi.receivers)).toMatchObject([{ id, name: 'changed', last_error: answer }]);
  });

  test.each(['wecom', 'slack', 'discord'] as const)('reports an unknown %s address', async (kind) => {
    const address = (scene.out.settings()[kind]?.['address'] ?? '').replace(destinationSecrets.hook, 'elsewhere');
    const { id } = await scene.admin.call(alertApi.addReceiver, {
      body: { kind, name: 'lost', settings: { address } },
    });
    expect(await scene.admin.call(alertApi.testReceiver, { params: { id } })).toMatchObject({ ok: false });
  });

  test('a test message is sent by email to several addresses', async () => {
    await using box = await Mailbox.start();
    const options = { SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gate@example.com' };
    await using mailing = await alertFixture({ options: { ...options, SystemName: 'Gate' } });
    const settings = { to: ' one@example.com, two@example.com' };
    const { id, ...shown } = await mailing.admin.call(alertApi.addReceiver, {
      body: { kind: 'email', name: 'People', settings },
    });
    expect(shown).toMatchObject({ settings: { to: 'one@example.com,two@example.com' }, secrets: [], place: '' });
    expect(await mailing.admin.call(alertApi.testReceiver, { params: { id } })).toMatchObject({ ok: true });
    expect(box.mails).toMatchObject([
      {
        to: ['one@example.com', 'two@example.com'],
        subject: 'Gate: test alert · Gate 测试告警',
        text: expect.stringContaining('Gate sends its alerts here.'),
      },
    ]);
  });

  test('a test message by email fails while no mail server is set', async () => {
    const { id } = await scene.admin.call(alertApi.addReceiver, {
      body: { kind: 'email', name: 'People', settings: { to: 'one@example.com' } },
    });
    const result = await scene.admin.call(alertApi.testReceiver, { params: { id } });
    expect(result).toMatchObject({ ok: false, answer: 'no mail server is set' });
  });
});

describe('[A41.1] destination secrets', () => {
  test.each(byHttp)(
    'destination secrets are stored encrypted for %s and appear in no response or log entry',
    async (kind) => {
      const made = await scene.receiver(kind);
      const again = await scene.admin.send(alertApi.receivers);
      const logs = await scene.admin.send(logApi.list, { query: { size: 100 } });
      const stored = await scene.app.database.selectFrom('alert_receivers').selectAll().execute();
      // Encrypted, not just encoded.
      const unpacked = stored.map(({ settings_sealed }) => Buffer.from(settings_sealed.replace(/^\w+:/, ''), 'base64'));
      for (const secret of Object.values(destinationSecrets))
        for (const text of [JSON.stringify(made), again.text, logs.text, JSON.stringify(stored), unpacked.join()])
          expect(text).not.toContain(secret);
      expect(made.secrets).not.toEqual([]);
      expect(logs.text).toContain('alert.receiver_added');
    },
  );

  test('destination secrets are kept if omitted from an update, and are not sent to another address', async () => {
    await using thief = await AlertDestinations.start();
    const { id } = await scene.receiver('telegram');
    const { chat_id = '', address = '' } = scene.out.settings()['telegram'] ?? {};
    const body = { name: 'kept', settings: { chat_id, address } };
    await scene.admin.call(alertApi.updateReceiver, { params: { id }, body });
    expect(await scene.admin.call(alertApi.testReceiver, { params: { id } })).toMatchObject({ ok: true });
    const moved = { ...body, settings: { chat_id, address: `${thief.url}/telegram` } };
    const rejected = await scene.admin.send(alertApi.updateReceiver, { params: { id }, body: moved });
    expect(rejected.body).toMatchObject({ success: false, message: expect.stringContaining('Bot token') });
    await scene.admin.call(alertApi.testReceiver, { params: { id } });
    expect(thief.alerts).toEqual([]);
    expect(scene.out.alerts).toHaveLength(2);
  });

  test("destination secrets are removed from a destination's response before it is shown", async () => {
    scene.out.faults.set('slack', ({ path }) => ({ status: 400, body: `no ${path} here\nnor <b>there` }));
    scene.out.faults.set('ntfy', ({ text }) => ({ status: 400, body: text }));
    for (const kind of ['slack', 'ntfy'] as const) {
      const { id } = await scene.receiver(kind);
      const { answer, ok } = await scene.admin.call(alertApi.testReceiver, { params: { id } });
      expect(ok).toBe(false);
      expect(answer).toContain('***');
      expect(answer).not.toContain(destinationSecrets.hook);
      expect(answer).not.toContain(destinationSecrets.ntfyTopic);
      expect(answer).not.toContain('\n');
    }
  });
});

describe('[A41.2] destination addresses', () => {
  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://100.100.100.200/',
  ])('never calls the metadata address %s', async (address) => {
    const body = { kind: 'slack' as const, name: 'x', settings: { address } };
    expect((await scene.admin.send(alertApi.addReceiver, { body })).body).toMatchObject({
      success: false,
      message: expect.stringContaining('address is not allowed'),
    });
  });

  test.each([
    'ftp://example.com/',
    'javascript:alert(1)',
    'https://user:password@example.com/',
    'https://example.com/#part',
    'not an address',
    'https://example.com/\u0000',
    '',
  ])('rejects the destination address %j', async (address) => {
    const body = { kind: 'slack' as const, name: 'x', settings: { address } };
    expect((await scene.admin.send(alertApi.addReceiver, { body })).body).toMatchObject({ success: false });
    expect(await scene.app.database.selectFrom('alert_receivers').selectAll().execute()).toEqual([]);
  });

  test('a redirect is not followed, and an endless response is not read', async () => {
    await using elsewhere = await AlertDestinations.start();
    const { id } = await scene.receiver('slack');
    scene.out.faults.set('slack', () => ({ status: 307, body: '', headers: { location: `${elsewhere.url}/slack` } }));
    const test = () => scene.admin.call(alertApi.testReceiver, { params: { id } });
    expect(await test()).toMatchObject({ ok: false, answer: 'HTTP 307' });
    scene.out.faults.set('slack', () => ({ status: 200, body: 'x'.repeat(1_000_000) }));
    expect(await test()).toMatchObject({ ok: false, answer: expect.stringContaining('too large') });
    expect(elsewhere.alerts).toEqual([]);
  });
});

describe('invalid destinations are rejected', () => {
  test.each([
    ['a field of another kind', 'slack', { address: 'https://example.com/x', token: 'x' }],
    ['an inherited property as a field', 'slack', { address: 'https://example.com/x', constructor: 'x' }],
    ['a short secret', 'webhook', { address: 'https://example.com/x', secret: 'short' }],
    ['an invalid mailbox', 'email', { to: 'one@example.com, two' }],
    ['eleven mailboxes', 'email', { to: Array.from({ length: 11 }, (_, n) => `u${n}@example.com`).join() }],
    ['a mailbox with a header', 'email', { to: 'one@example.com\r\nBcc: two@example.com' }],
    ['missing settings', 'telegram', {}],
  ] as const)('rejects a destination with %s', async (_, kind, settings) => {
    const response = await scene.admin.send(alertApi.addReceiver, { body: { kind, name: 'x', settings } });
    expect(response.body).toMatchObject({ success: false });
  });

  test('rejects a destination above the limit of one hundred', async () => {
    const settings = { address: 'https://example.com/x' };
    const add = () => scene.admin.send(alertApi.addReceiver, { body: { kind: 'slack', name: 'x', settings } });
    expect((await add()).body).toMatchObject({ success: true });
    const receivers = scene.app.database.selectFrom('alert_receivers').selectAll();
    const { id: _, ...row } = await receivers.executeTakeFirstOrThrow();
    await scene.app.database.insertInto('alert_receivers').values(Array(98).fill(row)).execute();
    expect((await add()).body).toMatchObject({ success: true });
    expect((await add()).body).toMatchObject({ success: false, message: expect.stringContaining('100') });
    expect(await scene.admin.call(alertApi.receivers)).toHaveLength(100);
  });
});

test('[A77.2] a destination whose settings cannot be read fails alone, and is repaired by entering them again', async () => {
  const { id } = await scene.receiver('webhook', 'damaged');
  const other = await scene.receiver('webhook', 'working');
  const { database } = scene.app;
  await database.updateTable('alert_receivers').set({ settings_sealed: 'v1:AAAA' }).where('id', '=', id).execute();
  const failure = 'the stored settings cannot be read: enter them again';
  const shown = await scene.admin.call(alertApi.receivers);
  expect(shown.map(({ name, secrets }) => [name, secrets.length > 0])).toEqual([
    ['damaged', false],
    ['working', true],
  ]);
  expect(await scene.admin.call(alertApi.testReceiver, { params: { id } })).toMatchObject({
    ok: false,
    answer: failure,
  });
  await scene.rule({ kind: 'new_admin', receivers: [id, other.id] });
  const root = await scene.app.as('root');
  const { username } = await scene.app.createUser();
  await root.call(userApi.manage, { body: { username, action: 'promote' } });
  const outcomes = async () => {
    const rows = await scene.app.database.selectFrom('alert_queue').select(['state', 'last_error']).execute();
    return rows.map(({ state, last_error }) => [state, last_error]).sort();
  };
  await expect.poll(outcomes).toEqual([
    ['sent', ''],
    ['waiting', failure],
  ]);
  const body = { name: 'damaged', settings: scene.out.settings()['webhook'] ?? {} };
  await scene.admin.call(alertApi.updateReceiver, { params: { id }, body });
  expect(await scene.admin.call(alertApi.testReceiver, { params: { id } })).toMatchObject({ ok: true });
});
