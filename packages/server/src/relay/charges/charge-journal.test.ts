import type { ServerResponse } from 'node:http';
import { ledgerApi, userApi } from '@headgate/contract';
import { chatResponse, done, plainPrice, stop, textChunk, usageEvent } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { nonRequestValues } from '../../records/logs/log-values.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { runFile } from '../../testing/process/program.ts';
import { chargeStoreOf } from '../../testing/records/charge-store.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp, type TestUser, useTestApp } from '../../testing/test-app.ts';
import type { Charge } from './charge-writer.ts';

let statements: string[] = [];
const app = await useTestApp({ onStatement: ({ query }) => statements.push(query.sql) });

const chargeFor = ({ id, username }: TestUser, requestId: string): Charge => ({
  quota: 10,
  user: id,
  token: 0,
  isTokenLimited: false,
  channel: 0,
  record: {
    user_id: id,
    created_at: 1_700_000_000,
    type: 2,
    content: '',
    username,
    token_name: '',
    model_name: 'm',
    quota: 10,
    prompt_tokens: 1,
    completion_tokens: 1,
    channel: 0,
    request_id: requestId,
    elapsed_time: 1,
    is_stream: 0,
    system_prompt_reset: 0,
    detail: '{}',
    ended_by: '',
    ...nonRequestValues,
  },
});

const storeOf = ({ database }: TestApp) =>
  chargeStoreOf(database, (error) => {
    throw error;
  });

async function booksOf({ database }: TestApp, { id }: TestUser) {
  const user = await database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const logs = await database.selectFrom('logs').select('request_id').where('user_id', '=', id).execute();
  const entries = await database.selectFrom('charge_journal').selectAll().execute();
  return {
    used: user.used_quota,
    requests: user.request_count,
    logs: logs.length,
    entries: entries.length,
    drift: user.credited - user.quota - user.used_quota,
  };
}

/** SQLite only: on PostgreSQL other nodes read the tables directly, so there is no journal. */
describe('charge journal', () => {
  test('stores a charge with one statement while another request is in flight, and readers see it in the tables', async () => {
    const streams: ServerResponse[] = [];
    const scene = await relayFixture(app, {
      upstreams: [
        (response, { body }) => {
          if (body['stream'] === true) streams.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
          else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(chatResponse()));
          streams[0]?.write(textChunk('Hello'));
        },
      ],
    });
    const streaming = await scene.chat({ stream: true, max_tokens: 100 });
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

  test('charges the journal entries of a killed process once, at the next start', async () => {
    await using stored = await createMigratedDatabase();
    const before = await startTestApp({ on: stored });
    const user = await before.createUser({ quota: 100 });
    for (const group of [['a', 'b'], ['c']]) {
      await storeOf(before).journal(group.map((requestId) => chargeFor(user, requestId)));
    }
    const kept = {
      user: user.id,
      id: 'resp_1',
      channel: 7,
      key: 3,
      tokens: 15,
      attachedTokens: 5,
      items: ['msg_1'],
      itemTokens: 4,
    };
    await storeOf(before).journal([{ ...chargeFor(user, 'd'), channel: 7, kept }]);
    await before.close();
    const after = await startTestApp({ on: stored });
    const charged = { used: 40, requests: 4, logs: 4, entries: 0, drift: 0 };
    expect(await after.database.selectFrom('kept_responses').selectAll().execute()).toMatchObject([
      {
        user_id: user.id,
        response_id: 'resp_1',
        channel_id: 7,
        key_id: 3,
        tokens: 15,
        attached_tokens: 5,
        item_tokens: 4,
      },
    ]);
    expect(await after.database.selectFrom('kept_items').selectAll().execute()).toMatchObject([
      { user_id: user.id, item_id: 'msg_1', response_id: 'resp_1' },
    ]);
    expect(await booksOf(after, user)).toEqual(charged);
    const first = await after.database.selectFrom('logs').selectAll().where('request_id', '=', 'a').executeTakeFirst();
    expect(first).toMatchObject({ ...chargeFor(user, 'a').record });
    await after.close();
    await using again = await startTestApp({ on: stored });
    expect(await booksOf(again, user)).toEqual(charged);
  });

  test('[A9.3] sets an unreadable entry aside, reports it, charges the other entries, and starts', async () => {
    await using stored = await createMigratedDatabase();
    const before = await startTestApp({ on: stored });
    const user = await before.createUser({ quota: 1000 });
    await storeOf(before).journal([chargeFor(user, 'a')]);
    const unreadable = [
      { id: 1, version: 99, charges: JSON.stringify([[75, user.id, 1, false, 1, null, 'later']]) },
      { id: 2, version: 1, charges: '[[10,1,' },
      { id: 3, version: 1, charges: '{"quota":10}' },
      { id: 4, version: 1, charges: JSON.stringify([[10, user.id, 0, false, 0, null, null, []], 'words']) },
      { id: 5, version: 1, charges: JSON.stringify([[10, user.id, 0, false, 0, [1, 2, 3], null, []]]) },
      { id: 6, version: 1, charges: JSON.stringify([[-10, user.id, 0, false, 0, null, null, []]]) },
      { id: 7, version: 1, charges: JSON.stringify([[10, user.id, 0, false, 1e300, null, null, []]]) },
      { id: 8, version: 1, charges: JSON.stringify([[10, user.id, 0, false, 0, null, null]]) },
      {
        id: 9,
        version: 1,
        charges: JSON.stringify([[10, user.id, 0, false, 0, null, ['resp_1', -1, 0, 0, [], 0], []]]),
      },
    ];
    await before.database.insertInto('charge_journal').values(unreadable).execute();
    await before.close();

    const lines: string[] = [];
    await using after = await startTestApp({ on: stored, onLine: (line) => void lines.push(line) });
    const reported = lines.filter((line) => line.includes('set_aside_charges')).map((line) => JSON.parse(line));
    expect(reported.map(({ entry }) => entry).sort()).toEqual(unreadable.map(({ id }) => id));
    expect(reported.find(({ entry }) => entry === 1)).toMatchObject({
      version: 99,
      reason: 'unknown version 99',
      holds: [{ user: user.id, quota: 75 }],
    });
    const audit = await runFile('audit.ts', [], { environment: stored.environment }).exit;
    expect(audit).toMatchObject({
      code: 0,
      stdout: 'ledger balanced: 2 users\n9 unreadable charges set aside (table set_aside_charges)\n',
    });
    expect(await booksOf(after, user)).toEqual({ used: 10, requests: 1, logs: 1, entries: 0, drift: 0 });
    const aside = await after.database.selectFrom('set_aside_charges').selectAll().orderBy('entry').execute();
    expect(aside).toMatchObject(unreadable.map(({ id, version, charges }) => ({ entry: id, version, charges })));
    expect(await (await after.as('admin')).call(ledgerApi.check)).toMatchObject({ drift: 0, set_aside: 9 });
  });

  test('does not store an entry that another process has already stored', async () => {
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
