import type { ServerResponse } from 'node:http';
import { userApi } from '@headgate/contract';
import { describe, expect, inject, test } from 'vitest';
import { chargeStoreOf } from '../testing/charge-store.ts';
import { relayScene } from '../testing/relay-scene.ts';
import { startTestApp, type TestApp, type TestUser, useTestApp } from '../testing/test-app.ts';
import { chatReply, done, piece, plainPrice, stop, usageEvent } from '../testing/upstream-answers.ts';
import type { Charge } from './charge.ts';

let statements: string[] = [];
const app = await useTestApp({ onStatement: ({ query }) => statements.push(query.sql) });

const chargeFor = ({ id, username }: TestUser, requestId: string): Charge => ({
  ...{ quota: 10, user: id, token: 0, isTokenLimited: false, channel: 0 },
  record: {
    ...{ user_id: id, created_at: 1_700_000_000, type: 2, content: '', username, token_name: '', model_name: 'm' },
    ...{ quota: 10, prompt_tokens: 1, completion_tokens: 1, channel: 0, request_id: requestId, elapsed_time: 1 },
    ...{ is_stream: 0, system_prompt_reset: 0, detail: '{}', ended_by: '' },
  },
});

const storeOf = ({ database }: TestApp) =>
  chargeStoreOf(database, {
    hasJournal: true,
    onFailure: (error) => {
      throw error;
    },
  });

async function booksOf({ database }: TestApp, { id }: TestUser) {
  const user = await database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const logs = await database.selectFrom('logs').select('request_id').where('user_id', '=', id).execute();
  const entries = await database.selectFrom('charge_journal').selectAll().execute();
  return {
    ...{ used: user.used_quota, requests: user.request_count, logs: logs.length, entries: entries.length },
    drift: user.credited - user.quota - user.used_quota,
  };
}

/** PostgreSQL may have several nodes, which all look at the tables. */
describe.runIf(inject('database') === 'sqlite')('the journal of charges', () => {
  test('while another request is under way a charge is one statement, and whoever asks sees it in the tables', async () => {
    const streams: ServerResponse[] = [];
    const scene = await relayScene(app, {
      upstreams: [
        (response, { body }) => {
          if (body['stream'] === true) streams.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
          else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(chatReply()));
          streams[0]?.write(piece('Hello'));
        },
      ],
    });
    const streaming = await scene.chat({ stream: true });
    statements = [];
    const reply = await scene.chat();
    expect(reply.status).toBe(200);
    await reply.text();
    expect(statements[0]).toMatch(/^insert into "charge_journal"/);
    expect(await scene.client.call(userApi.self)).toMatchObject({ used_quota: plainPrice, request_count: 1 });
    expect((await scene.books()).logs).toHaveLength(1);
    streams[0]?.end(stop + usageEvent + done);
    await streaming.text();
    const { user, logs, drift } = await scene.books();
    expect([user.used_quota, logs.length, drift]).toEqual([2 * plainPrice, 2, 0]);
    await scene.close();
  });

  test('what a killed process left in it is charged at the next start, once', async () => {
    await using before = await startTestApp();
    const user = await before.createUser({ quota: 100 });
    for (const group of [['a', 'b'], ['c']]) {
      await storeOf(before).journal(group.map((requestId) => chargeFor(user, requestId)));
    }
    await using after = await startTestApp({ beside: before });
    const stored = { used: 30, requests: 3, logs: 3, entries: 0, drift: 0 };
    expect(await booksOf(after, user)).toEqual(stored);
    const first = await after.database.selectFrom('logs').selectAll().where('request_id', '=', 'a').executeTakeFirst();
    expect(first).toMatchObject({ ...chargeFor(user, 'a').record });
    await using again = await startTestApp({ beside: before });
    expect(await booksOf(again, user)).toEqual(stored);
  });

  test('what another process has brought into the tables is not brought there twice', async () => {
    const user = await app.createUser({ quota: 100 });
    const ours = storeOf(app);
    const groups = [];
    for (const requestId of ['a', 'b']) {
      const charges = [chargeFor(user, requestId)];
      groups.push({ entry: await ours.journal(charges), charges });
    }
    await storeOf(app).recover();
    await ours.store([...groups, { charges: [chargeFor(user, 'c')] }]);
    expect(await booksOf(app, user)).toEqual({ used: 30, requests: 3, logs: 3, entries: 0, drift: 0 });
  });
});
