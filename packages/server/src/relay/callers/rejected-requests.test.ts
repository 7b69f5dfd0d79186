import { type Log, logApi, logType, optionApi, tokenApi } from '@headgate/contract';
import { RelayError } from '@headgate/relay';
import { completion, reply } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { RequestRecord } from '../../records/logs/log-service.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';
import { RejectedRequests } from './rejected-requests.ts';

const app = await useTestApp();
const root = await app.as('root');
type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function scene(options: Parameters<typeof relayFixture>[1] = {}) {
  const made = await relayFixture(app, { upstreams: [completion()], ...options });
  scenes.push(made);
  return made;
}

/** Failure logs of a user, newest first, as an admin sees them. */
const failuresOf = ({ user }: Pick<Scene, 'user'>, query: object = {}): Promise<readonly Log[]> =>
  root.call(logApi.list, { query: { username: user.username, type: logType.failure, size: 100, ...query } });

describe('requests rejected before routing', () => {
  test('logs model, token and request id if no channel serves the model', async () => {
    const made = await scene();
    const response = await made.chat({ model: 'gpt-5' });
    expect(response.status).toBe(404);
    const [row, ...others] = await failuresOf(made);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      reason: 'not_found',
      status: 404,
      model_name: 'gpt-5',
      token_name: 'relay',
      channel: 0,
      quota: 0,
      content: "The model 'gpt-5' does not exist",
      request_id: response.headers.get('x-request-id'),
    });
    expect(await made.client.call(logApi.listOwn, { query: { type: logType.failure } })).toMatchObject([
      { reason: 'not_found' },
    ]);
  });

  test('logs requests with insufficient quota and requests for a model that the token may not use', async () => {
    const poor = await scene({ quota: 0 });
    expect((await poor.chat()).status).toBe(402);
    expect(await failuresOf(poor)).toMatchObject([{ reason: 'no_quota', status: 402, model_name: 'gpt-4o' }]);
    const bound = await scene({ token: { models: 'gpt-3.5-turbo' } });
    expect((await bound.chat()).status).toBe(403);
    expect(await failuresOf(bound)).toMatchObject([{ reason: 'model_not_allowed', status: 403 }]);
  });

  test('logs requests with a disabled token of a known user', async () => {
    const made = await scene();
    await made.client.call(tokenApi.update, { body: { id: made.token.id, status: 2 }, query: { status_only: 'true' } });
    expect((await made.chat()).status).toBe(401);
    expect(await failuresOf(made)).toMatchObject([{ reason: 'token_refused', status: 401, token_name: 'relay' }]);
  });

  test('logs requests above the concurrency limit', async () => {
    await root.call(optionApi.update, { body: { key: 'TokenConcurrencyLimit', value: '1' } });
    const gate = Promise.withResolvers<void>();
    const received = Promise.withResolvers<void>();
    const made = await scene({
      upstreams: [
        async (response, request) => {
          received.resolve();
          await gate.promise;
          await completion()(response, request);
        },
      ],
    });
    const first = made.chat();
    await received.promise;
    expect((await made.chat()).status).toBe(429);
    gate.resolve();
    expect((await first).status).toBe(200);
    await root.call(optionApi.update, { body: { key: 'TokenConcurrencyLimit', value: '0' } });
    expect(await failuresOf(made)).toMatchObject([{ reason: 'too_many', status: 429 }]);
  });
});

test('does not log requests with an unknown key or an unreadable body', async () => {
  const made = await scene();
  const before = await app.database.selectFrom('logs').select('id').where('type', '=', logType.failure).execute();
  const headers = { authorization: `Bearer sk-${'x'.repeat(48)}`, 'content-type': 'application/json' };
  expect((await made.chat({}, { headers })).status).toBe(401);
  expect((await made.post('/v1/chat/completions', '{')).status).toBe(400);
  await root.call(logApi.list, { query: {} });
  const after = await app.database.selectFrom('logs').select('id').where('type', '=', logType.failure).execute();
  expect(after).toEqual(before);
});

const rethrow = (error: unknown) => {
  throw error;
};

const rejectionFor = (model: string) => ({
  error: new RelayError(503, 'No channel', 'no_channel'),
  model,
  requestId: 'r',
});

/** A token of one user, reduced to the fields used for rejected requests. */
const entryOf = (id: number) => ({
  facts: { id, name: `token ${id}` },
  user: { facts: { id: 1, username: 'ann' } },
});

describe('floods of rejected requests', () => {
  test('logs the first of many identical rejections immediately and then one summary per minute', async () => {
    await using stored = await createTestDatabase();
    const flooded = await startTestApp({ on: stored });
    const made = await relayFixture(flooded);
    for (let count = 0; count < 50; count += 1) expect((await made.chat({ model: 'gpt-5' })).status).toBe(404);
    const admin = await flooded.as('admin');
    const rows = () => admin.call(logApi.list, { query: { username: made.user.username, type: logType.failure } });
    expect(await rows()).toHaveLength(1);
    // The current minute also ends when the gateway shuts down.
    await flooded.close();
    await using next = await startTestApp({ on: stored });
    const logs = await next.database.selectFrom('logs').selectAll().where('type', '=', 5).orderBy('id').execute();
    expect(logs).toMatchObject([
      { model_name: 'gpt-5', detail: '' },
      { model_name: 'gpt-5', reason: 'not_found', detail: '{"refused":49}', request_id: '' },
    ]);
  });

  test('many different model names fill neither the log nor the rollups', async () => {
    const made = await scene();
    for (let count = 0; count < 40; count += 1)
      expect((await made.chat({ model: `invented-${count}-${'x'.repeat(500)}` })).status).toBe(404);
    const rows = await failuresOf(made);
    expect(rows).toHaveLength(21);
    expect(rows.filter(({ model_name }) => model_name === '')).toHaveLength(1);
    expect(rows.every(({ model_name, content }) => model_name.length <= 200 && content.length <= 500)).toBe(true);
  });

  test('opens at most forty windows per minute for many tokens, and logs the rest without token and model', async () => {
    const rows: RequestRecord[] = [];
    const rejected = new RejectedRequests({ write: async (given) => void rows.push(...given), onFailure: rethrow });
    for (let count = 0; count < 100; count += 1) rejected.note(entryOf(count), rejectionFor('gpt-5'));
    await rejected.catchUp();
    expect(rows).toHaveLength(41);
    expect(rows.at(-1)).toMatchObject({ token_name: '', model_name: '', reason: 'no_channel' });
    await rejected.close();
    expect(rows).toHaveLength(42);
    expect(rows.at(-1)).toMatchObject({ token_name: '', model_name: '', detail: '{"refused":59}' });
  });

  test('readers wait only for requests that were rejected before them', async () => {
    let writes = 0;
    const write = async () => {
      writes += 1;
      if (writes < 10) rejected.note(entryOf(writes), rejectionFor('gpt-5'));
    };
    const rejected = new RejectedRequests({ write, onFailure: rethrow });
    rejected.note(entryOf(0), rejectionFor('gpt-5'));
    await Promise.all([rejected.catchUp(), rejected.catchUp()]);
    expect(writes).toBeLessThanOrEqual(2);
    writes = 10;
    await rejected.close();
  });
});

describe('failed requests', () => {
  const rejected = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);

  test('logs the channel, status and reason of the last attempt', async () => {
    await root.call(optionApi.update, { body: { key: 'RetryTimes', value: '1' } });
    const made = await scene({ upstreams: [reply({ error: { message: 'busy' } }, 503), rejected] });
    expect((await made.chat()).status).toBe(502);
    const ids = await app.database
      .selectFrom(currentTable(app.database, 'channels'))
      .select('id')
      .where('group', '=', made.group)
      .orderBy('id')
      .execute();
    const [row] = await failuresOf(made);
    expect(row).toMatchObject({ channel: ids[1]?.id, status: 401, reason: 'key_rejected' });
    // Nothing was charged.
    expect(
      await app.database
        .selectFrom(currentTable(app.database, 'channels'))
        .select('used_quota')
        .where('group', '=', made.group)
        .execute(),
    ).toEqual([{ used_quota: 0 }, { used_quota: 0 }]);
    await root.call(optionApi.update, { body: { key: 'RetryTimes', value: '0' } });
  });

  test('counts failures and filters them by channel and reason', async () => {
    const made = await scene({ upstreams: [rejected] });
    for (let count = 0; count < 3; count += 1) await made.chat();
    await made.chat({ model: 'gpt-5' });
    const [row] = await failuresOf(made, { reason: 'key_rejected' });
    const channel = row?.channel ?? 0;
    const counts = await root.call(logApi.failures, { query: { channel } });
    expect(counts).toMatchObject([{ channel, channel_name: made.group, reason: 'key_rejected', status: 401, rows: 3 }]);
    const all = await root.call(logApi.failures, { query: {} });
    expect(all.find((count) => count.channel === 0 && count.reason === 'not_found')?.rows).toBeGreaterThan(0);
    expect(await root.call(logApi.failures, { query: { start_timestamp: 4_000_000_000 } })).toEqual([]);
    // Computed from rollups, or from log rows if the rollups lack the column.
    for (const query of [
      { channel, reason: 'key_rejected' },
      { reason: 'key_rejected', username: made.user.username },
    ] as const) {
      const page = await root.page(logApi.list, { query });
      expect([page.total, page.rows.length]).toEqual([3, 3]);
    }
    expect(await root.call(logApi.stat, { query: { reason: 'key_rejected' } })).toEqual({ quota: 0 });
    expect((await root.send(logApi.list, { query: { reason: 'because' } })).status).toBe(400);
  });
});
