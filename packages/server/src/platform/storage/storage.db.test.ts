import { tokenApi, userApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { blockCharges } from '../../testing/database/block-charges.ts';
import { fullDisk } from '../../testing/database/full-disk.ts';
import { readOnlyDatabase } from '../../testing/database/read-only-database.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { StorageHealth } from './storage-health.ts';

const onSqlite = inject('database') === 'sqlite';
const full = 'the database disk is full';

type Scene = Awaited<ReturnType<typeof relayFixture>>;

const readyOf = (app: TestApp) => app.client().request('GET', '/readyz');

/** Sends requests until one is rejected; the admitted requests wait to be charged. */
async function requestUntilRejected(scene: Scene): Promise<Promise<Response>[]> {
  const requested: Promise<Response>[] = [];
  let isRejected = false;
  const send = async () => {
    const response = await scene.chat({ max_tokens: 10 });
    if (response.status === 503) isRejected = true;
    return response;
  };
  await expect
    .poll(
      () => {
        if (!isRejected) requested.push(send());
        return isRejected;
      },
      { interval: 20 },
    )
    .toBe(true);
  return requested;
}

async function expectRejected(scene: Scene, message: string): Promise<void> {
  const before = scene.upstreams[0]?.received.length;
  const response = await scene.chat();
  expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([503, 5]);
  expect(await response.json()).toMatchObject({
    error: { code: 'storage_unavailable', message: expect.stringContaining(message) },
  });
  expect(scene.upstreams[0]?.received.length).toBe(before);
}

describe('full disk', () => {
  test('rejects requests before they are sent upstream, reports the reason in /readyz and the log, and charges everything afterwards', async () => {
    const lines: string[] = [];
    await using app = await startTestApp({ onLine: (line) => lines.push(line) });
    const scene = await relayFixture(app, { upstreams: [completion()] });
    expect((await scene.chat()).status).toBe(200);
    const disk = await fullDisk(app);
    const requested = await requestUntilRejected(scene);
    await expectRejected(scene, full);
    const ready = await readyOf(app);
    expect([ready.status, ready.body]).toEqual([503, { status: 'not ready', reasons: [full] }]);
    expect((await app.client().request('GET', '/healthz')).status).toBe(200);
    await disk[Symbol.asyncDispose]();
    const served = (await Promise.all(requested)).filter(({ status }) => status === 200).length + 1;
    await expect.poll(async () => (await scene.chat()).status).toBe(200);
    expect((await readyOf(app)).status).toBe(200);
    const messages = lines
      .map((line) => (JSON.parse(line) as { msg: string }).msg)
      .filter((message) => message.includes('charges'));
    expect(messages).toEqual([
      `${full}: requests are rejected until charges can be stored`,
      'charges are stored again',
    ]);
    const { user, logs, drift } = await scene.books();
    expect(logs.filter(({ quota }) => quota === 0)).toEqual([]);
    expect([logs.length, user.used_quota, drift]).toEqual([served + 1, (served + 1) * plainPrice, 0]);
    await scene.close();
  });

  test('the API returns 503 and changes nothing', async () => {
    await using app = await startTestApp();
    const client = await app.as('user');
    await using _disk = await fullDisk(app);
    const create = () => client.send(tokenApi.create, { body: { name: 'x'.repeat(30), unlimited_quota: true } });
    await expect.poll(async () => (await create()).status, { interval: 1 }).toBe(503);
    const { status, body, headers } = await create();
    expect([status, body, headers.get('retry-after')]).toEqual([
      503,
      {
        success: false,
        message: 'The database disk is full. Nothing was changed. Try again in 30 seconds',
      },
      '30',
    ]);
  });

  if (onSqlite)
    test('a nearly full disk is detected in advance', async () => {
      let free = 31 * 1024 * 1024;
      await using app = await startTestApp({ freeBytes: async () => free });
      const scene = await relayFixture(app, { upstreams: [completion()] });
      expect((await readyOf(app)).body).toEqual({ status: 'not ready', reasons: [full] });
      await expectRejected(scene, full);
      free = 33 * 1024 * 1024;
      expect((await readyOf(app)).status).toBe(200);
      expect((await scene.chat()).status).toBe(200);
      await scene.close();
    });
});

test('[A70.1] returns 503 while the database is read-only and serves again once it is writable, including over sessions opened in the meantime', async () => {
  await using app = await startTestApp();
  const scene = await relayFixture(app, { upstreams: [completion()] });
  expect((await scene.chat()).status).toBe(200);
  {
    await using _readOnly = await readOnlyDatabase(app);
    await expect.poll(async () => (await readyOf(app)).status).toBe(503);
    await expectRejected(scene, 'the database is read-only');
    const made = await scene.client.send(tokenApi.create, { body: { name: 'x', unlimited_quota: true } });
    expect([made.status, made.body]).toEqual([
      503,
      { success: false, message: expect.stringContaining('The database is read-only') },
    ]);
  }
  await expect.poll(async () => (await readyOf(app)).status).toBe(200);
  await expect.poll(async () => (await scene.chat()).status).toBe(200);
  await scene.close();
});

if (onSqlite)
  test('[A70.3] the API serves every request while journaled charges cannot be applied to the tables', async () => {
    await using app = await startTestApp();
    const gate = Promise.withResolvers<void>();
    const scene = await relayFixture(app, {
      upstreams: [
        async (response, request) => {
          if (request.text.includes('"held"')) await gate.promise;
          await completion()(response, request);
        },
      ],
    });
    expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
    const charging = await blockCharges(app, { isJournalOpen: true });
    const slow = scene.chat({ max_tokens: 10, user: 'held' });
    await expect.poll(() => scene.upstreams[0]?.received.length).toBe(2);
    expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
    expect((await scene.client.send(userApi.self)).status).toBe(200);
    const made = await scene.client.send(tokenApi.create, { body: { name: 'x', unlimited_quota: true } });
    expect([made.status, made.body]).toEqual([
      503,
      { success: false, message: expect.stringContaining('The database is too slow') },
    ]);
    await charging[Symbol.asyncDispose]();
    gate.resolve();
    expect((await slow).status).toBe(200);
    await expect.poll(async () => (await scene.books()).user.used_quota).toBe(3 * plainPrice);
    expect((await scene.books()).drift).toBe(0);
    expect((await scene.client.send(tokenApi.list, { query: {} })).status).toBe(200);
    await scene.close();
  });

test('requests are rejected before they are sent upstream while charges are not stored for seconds', async () => {
  await using app = await startTestApp();
  const scene = await relayFixture(app, { upstreams: [completion()] });
  expect((await scene.chat()).status).toBe(200);
  const charging = await blockCharges(app);
  const first = scene.chat();
  await expect.poll(async () => (await readyOf(app)).status).toBe(503);
  await expectRejected(scene, 'charges have been waiting for seconds to be stored');
  await charging[Symbol.asyncDispose]();
  expect((await first).status).toBe(200);
  await (await first).text();
  expect((await scene.chat()).status).toBe(200);
  await scene.close();
});

test('a full disk is considered resolved once all charges are stored, regardless of when the next attempt runs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const note = (_: object, message: string) => lines.push(message);
  let waitedMs = 0;
  const health = new StorageHealth({
    look: async () => undefined,
    oldestUnstoredMs: () => waitedMs,
    log: { error: note, warn: note },
  });
  health.failed(Object.assign(new Error('No space left on device'), { code: '53100' }));
  waitedMs = 2000;
  vi.advanceTimersByTime(2000);
  expect([health.trouble, lines.length]).toEqual(['full', 1]);
  waitedMs = 3;
  vi.advanceTimersByTime(2000);
  expect([health.trouble, lines.slice(1)]).toEqual([undefined, ['charges are stored again']]);
});
