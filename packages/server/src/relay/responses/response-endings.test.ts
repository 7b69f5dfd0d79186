import { logApi, logType, userApi } from '@headgate/contract';
import {
  completion,
  done,
  plainPrice,
  reply,
  roleChunk,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const silent: UpstreamHandler = () => undefined;
const manyPieces = textChunk('some more words ').repeat(800);

/** The quota runs out in the second part, which is sent after the client has received the first. */
function inTwoParts() {
  const isReceived = Promise.withResolvers<void>();
  const respond: UpstreamHandler = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(roleChunk + textChunk('Hello'));
    await isReceived.promise;
    response.end(manyPieces + stop + done);
  };
  return { respond, isReceived };
}

async function leaveStream(scene: Scene): Promise<void> {
  const gone = new AbortController();
  const response = await scene.chat({ stream: true }, { signal: gone.signal });
  await response.body?.getReader().read();
  gone.abort();
}

async function leaveBeforeResponse(scene: Scene): Promise<void> {
  const { received } = scene.upstreams[0] ?? { received: [] };
  const before = received.length;
  const gone = new AbortController();
  const pending = scene.chat({}, { signal: gone.signal }).catch(() => undefined);
  await expect.poll(() => received.length).toBe(before + 1);
  gone.abort();
  await pending;
}

test('logs every charged request as consumption with the party that ended it, and log rows, rollups and account match', async () => {
  const { respond, isReceived } = inTwoParts();
  const asks: readonly [UpstreamHandler, (scene: Scene) => Promise<unknown>, object][] = [
    [completion(), (scene) => scene.chat(), { type: 2, ended_by: '' }],
    [
      stream([roleChunk, textChunk('Hi'), stop, usageEvent, done]),
      async (scene) => (await scene.chat({ stream: true })).text(),
      { type: 2, ended_by: '', is_stream: 1 },
    ],
    [stream([roleChunk, textChunk('Hel')], 'stall'), leaveStream, { type: 2, ended_by: 'client' }],
    [silent, leaveBeforeResponse, { type: 2, ended_by: 'client' }],
    [
      stream([roleChunk, textChunk('Hel'), textChunk('lo')], 'cut'),
      async (scene) => (await scene.chat({ stream: true })).text(),
      { type: 2, ended_by: 'upstream' },
    ],
    [reply({ error: { message: 'no' } }, 500), (scene) => scene.chat(), { type: 5, ended_by: 'upstream', quota: 0 }],
    [
      respond,
      async (scene) => {
        const response = await scene.chat({ stream: true });
        for await (const _ of response.body ?? []) isReceived.resolve();
      },
      { type: 2, ended_by: 'quota' },
    ],
  ];
  const scene = await relayFixture(app, { upstreams: [completion()], quota: 8000 });
  scenes.push(scene);
  const expected: object[] = [];
  for (const [upstreamResponse, ask, row] of asks) {
    const [upstream] = scene.upstreams;
    if (upstream) upstream.handler = upstreamResponse;
    await ask(scene);
    expected.push(row);
    await expect.poll(async () => (await scene.books()).logs.length).toBe(expected.length);
  }

  const { user, logs } = await scene.books();
  expect(logs).toMatchObject(expected);
  for (const { type, quota } of logs) expect(type === logType.failure && quota > 0).toBe(false);
  const consumed = { user_id: user.id, type: logType.consumption };
  const sum = (rows: readonly { readonly quota: number }[]) => rows.reduce((total, { quota }) => total + quota, 0);
  expect(sum(logs.filter(({ type }) => type === logType.consumption))).toBe(user.used_quota);
  const listed = await scene.client.page(logApi.listOwn, { query: { type: logType.consumption, size: 100 } });
  expect(sum(listed.rows)).toBe(user.used_quota);
  expect(listed.rows.map(({ ended_by }) => ended_by).filter(Boolean)).toEqual([
    'quota',
    'upstream',
    'client',
    'client',
  ]);
  expect(await scene.client.call(logApi.statOwn, { query: {} })).toEqual({ quota: user.used_quota });
  const stat = await scene.admin.call(logApi.stat, { query: { username: user.username } });
  expect(stat).toEqual({ quota: user.used_quota });
  const hours = await app.database
    .selectFrom(currentTable(app.database, 'usage_hours'))
    .select('quota')
    .where((where) => where.and(consumed))
    .execute();
  expect(sum(hours)).toBe(user.used_quota);
  const days = await scene.client.call(userApi.dashboard);
  expect(days.reduce((total, { Quota }) => total + Quota, 0)).toBe(user.used_quota);
  await expectBalancedLedger(app.database);
});

test('charges requests while consumption logging is off, and still logs broken responses', async () => {
  await using quiet = await startTestApp({ options: { LogConsumeEnabled: 'false' } });
  const scene = await relayFixture(quiet, { upstreams: [completion()] });
  scenes.push(scene);
  await (await scene.chat()).text();
  const [upstream] = scene.upstreams;
  if (upstream) upstream.handler = stream([roleChunk, textChunk('Hel')], 'cut');
  await (await scene.chat({ stream: true })).text();
  const { user, logs, drift } = await scene.books();
  expect(logs).toMatchObject([{ type: 2, ended_by: 'upstream' }]);
  expect([user.used_quota, drift]).toEqual([plainPrice + Number(logs[0]?.quota), 0]);
});
