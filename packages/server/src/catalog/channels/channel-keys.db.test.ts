import {
  type ChannelBulkChange,
  channelApi,
  channelBulkApi,
  channelExportApi,
  channelKeyApi,
  channelStatus,
  logType,
} from '@headgate/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createChannel, expectConsistentAbilities, storedChannel } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const marker = 'MARKER9c1d';
const seen: string[] = [];
const app = await useTestApp({
  extend: (instance) =>
    instance.addHook('onSend', async (_, reply, payload) => {
      seen.push(JSON.stringify(reply.getHeaders()), String(payload));
      return payload;
    }),
});
const { username, password } = await app.createUser({ role: 10, username: 'keykeeper' });
const admin = await app.signedIn(username, password);

const keyOf = (number: number) => `sk-${marker}-${String(number).padStart(6, '0')}`;
const linesOf = (...numbers: number[]) => numbers.map(keyOf).join('\n');
const { enabled, disabled, disabledByMonitor } = channelStatus;

async function channelWith(...numbers: number[]) {
  const { id } = await createChannel(app, admin, { key: keyOf(1), name: 'several' });
  const params = { id };
  const add = (keys: string, replace = false) => admin.call(channelKeyApi.add, { params, body: { keys, replace } });
  const keys = () => admin.call(channelKeyApi.list, { params });
  const change = (body: { ids: number[]; status?: 1 | 2; weight?: number }) =>
    admin.call(channelKeyApi.update, { params, body });
  const remove = (ids: number[]) => admin.call(channelKeyApi.remove, { params, body: { ids } });
  if (numbers.length > 0) await add(linesOf(...numbers));
  return { id, params, add, keys, change, remove, stored: () => storedChannel(app, id) };
}

const hintsOf = (rows: readonly { readonly hint: string }[]) => rows.map(({ hint }) => hint);
const logsOf = async (channel: number) =>
  await app.database
    .selectFrom('logs')
    .select(['content', 'type'])
    .where('channel', '=', channel)
    .orderBy('id')
    .execute();

test('a hundred keys are added by pasting one per line, and duplicates are reported', async () => {
  const { add, keys, stored } = await channelWith();
  const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
  const text = `\n  ${linesOf(...numbers)}  \r\n\n${linesOf(5, 6)}\n`;
  expect(await add(text)).toEqual({ added: 99, duplicates: 3, removed: 0 });
  expect(await keys()).toHaveLength(100);
  expect(await keys()).toMatchObject([
    { hint: '0001', weight: 1, status: enabled, request_count: 0 },
    ...Array(99).fill({}),
  ]);
  expect(await stored()).toMatchObject({ key_count: 100, enabled_key_count: 100 });
  expect(await add(linesOf(7))).toEqual({ added: 0, duplicates: 1, removed: 0 });
  const many = Array.from({ length: 401 }, (_, index) => index + 1000);
  const rejected = await admin.send(channelKeyApi.add, {
    params: { id: (await stored()).id },
    body: { keys: linesOf(...many) },
  });
  expect(rejected.body).toMatchObject({ success: false, message: 'A channel can have at most 500 keys' });
  expect(await keys()).toHaveLength(100);
});

test('the single key of a channel is listed like others, but has no row until another key is added', async () => {
  const { add, keys, stored, id, params } = await channelWith();
  expect(await keys()).toMatchObject([{ id: 0, hint: '0001', status: enabled }]);
  expect(await add(keyOf(1))).toEqual({ added: 0, duplicates: 1, removed: 0 });
  expect(await stored()).toMatchObject({ key_count: 0 });
  expect(await app.database.selectFrom('channel_keys').selectAll().where('channel_id', '=', id).execute()).toEqual([]);
  const rejected = await admin.send(channelKeyApi.remove, { params, body: { ids: [7] } });
  expect(rejected.body).toMatchObject({ success: false });
});

test('replacing keys keeps the weight of unchanged keys', async () => {
  const { add, keys, change, stored } = await channelWith(2, 3);
  const [, second] = await keys();
  await change({ ids: [second?.id ?? 0], weight: 5 });
  expect(await add(linesOf(2, 9), true)).toEqual({ added: 1, duplicates: 1, removed: 2 });
  expect(await keys()).toMatchObject([
    { id: second?.id, hint: '0002', weight: 5 },
    { hint: '0009', weight: 1 },
  ]);
  expect(await stored()).toMatchObject({ key_count: 2 });
  const single = await channelWith();
  expect(await single.add(keyOf(908), true)).toEqual({ added: 1, duplicates: 0, removed: 1 });
  expect(hintsOf(await single.keys())).toEqual(['0908']);
  expect(await admin.call(channelApi.search, { query: { keyword: keyOf(908) } })).toMatchObject([{ id: single.id }]);
});

test('disabling the last enabled key disables the channel, and enabling a key enables it again', async () => {
  const { keys, change, remove, stored, id } = await channelWith(2);
  const ids = (await keys()).map((key) => key.id);
  expect(await change({ ids, status: disabled })).toBe(2);
  expect(await change({ ids, status: disabled })).toBe(0);
  expect(await stored()).toMatchObject({ status: disabledByMonitor, status_reason: 'All of its keys are disabled' });
  await expectConsistentAbilities(app);
  expect(await change({ ids: ids.slice(1), status: enabled })).toBe(1);
  expect(await stored()).toMatchObject({ status: enabled, status_reason: '', enabled_key_count: 1 });
  await expectConsistentAbilities(app);
  expect(await remove(ids.slice(0, 1))).toBe(1);
  expect(hintsOf(await keys())).toEqual(['0002']);
  const rejected = await admin.send(channelKeyApi.remove, { params: { id }, body: { ids: ids.slice(1) } });
  expect(rejected.body).toMatchObject({ success: false, message: 'A channel needs at least one key' });
});

test('a channel disabled by an admin stays disabled regardless of its keys', async () => {
  const { keys, change, stored, id, add } = await channelWith(2);
  await admin.call(channelApi.update, { body: { id, status: disabled } });
  const ids = (await keys()).map((key) => key.id);
  await change({ ids, status: disabled });
  await change({ ids, status: enabled });
  await add(keyOf(3));
  expect(await stored()).toMatchObject({ status: disabled, key_count: 3, enabled_key_count: 3 });
});

test('keys of another channel cannot be changed, removed or tested through this channel', async () => {
  const one = await channelWith(2);
  const other = await channelWith(2);
  const foreign = (await other.keys()).map((key) => key.id);
  for (const sent of [
    admin.send(channelKeyApi.update, { params: one.params, body: { ids: foreign, weight: 9 } }),
    admin.send(channelKeyApi.remove, { params: one.params, body: { ids: foreign.slice(1) } }),
    admin.send(channelKeyApi.test, { params: one.params, body: { key: foreign[0] ?? 0 } }),
  ])
    expect((await sent).body).toMatchObject({ success: false });
  expect(await other.keys()).toMatchObject([{ weight: 1 }, { weight: 1 }]);
});

describe('a client that supports only one key per channel', () => {
  test('a client that sends no key leaves all keys unchanged', async () => {
    const { keys, id } = await channelWith(2, 3);
    await admin.call(channelApi.update, { body: { id, name: 'renamed', key: '' } });
    expect(await keys()).toHaveLength(3);
    expect(await admin.call(channelApi.get, { params: { id } })).toMatchObject({ key: '', key_count: 3 });
  });

  test('a client that sends one key replaces all keys', async () => {
    const { keys, id, stored } = await channelWith(2, 3);
    await admin.call(channelApi.update, { body: { id, key: keyOf(1) } });
    expect(await keys()).toMatchObject([{ id: 0, hint: '0001' }]);
    expect(await stored()).toMatchObject({ key_count: 0, enabled_key_count: 0 });
    expect((await logsOf(id)).at(-1)?.content).toContain('keys 3 → 1');
  });

  test('cannot redirect the keys to another address', async () => {
    const { keys, id, stored } = await channelWith(2, 3);
    const moved = { id, base_url: 'https://elsewhere.example.com' };
    const rejected = await admin.send(channelApi.update, { body: moved });
    expect(rejected.body).toMatchObject({ success: false });
    expect(await keys()).toHaveLength(3);
    await admin.call(channelApi.update, { body: { ...moved, key: keyOf(1) } });
    expect(hintsOf(await keys())).toEqual(['0001']);
    expect(await app.database.selectFrom('channel_keys').selectAll().where('channel_id', '=', id).execute()).toEqual(
      [],
    );
    expect(await stored()).toMatchObject({ base_url: 'https://elsewhere.example.com' });
  });
});

test('a type with a multi-part key has a single key, and invalid lines are rejected', async () => {
  const { id } = await createChannel(app, admin, { type: 33, key: '', config: '{"region":"r","ak":"a","sk":"s"}' });
  const rejected = await admin.send(channelKeyApi.add, { params: { id }, body: { keys: keyOf(1) } });
  expect(rejected.body).toMatchObject({
    success: false,
    message: expect.stringContaining('consists of several fields'),
  });
  const { params, keys } = await channelWith(2);
  const odd = await admin.send(channelKeyApi.add, { params, body: { keys: `${keyOf(3)}\n${keyOf(4)}\u0007` } });
  expect(odd.body).toMatchObject({ success: false });
  expect(await keys()).toHaveLength(2);
});

test('deleting channels deletes their keys, and copying settings leaves keys unchanged', async () => {
  const one = await channelWith(2);
  const other = await channelWith(2, 3);
  const run = (change: ChannelBulkChange) =>
    admin.call(channelBulkApi.run, { body: { chosen: { ids: [one.id] }, change, preview: false } });
  await admin.call(channelApi.update, { body: { id: other.id, priority: 7, key_strategy: 'least_used' } });
  await run({ kind: 'copy', from: other.id, settings: ['priority'] });
  expect(await one.stored()).toMatchObject({ priority: 7, key_count: 2, key_strategy: 'round_robin' });
  const ids = (await one.keys()).map((key) => key.id);
  await one.change({ ids, status: disabled });
  await run({ kind: 'status', status: disabled });
  await run({ kind: 'delete' });
  await admin.call(channelApi.remove, { params: other.params });
  const left = await app.database
    .selectFrom('channel_keys')
    .select('id')
    .where('channel_id', 'in', [one.id, other.id])
    .execute();
  expect(left).toEqual([]);
});

test('the log names the key with old and new values', async () => {
  const { keys, change, remove, id } = await channelWith(2);
  const [first, second] = await keys();
  await change({ ids: [second?.id ?? 0], weight: 3 });
  await change({ ids: [second?.id ?? 0], status: disabled });
  await remove([second?.id ?? 0]);
  const logs = await logsOf(id);
  expect(logs.map(({ content }) => content).slice(1)).toEqual([
    `keykeeper added 1 key to channel several (#${id}): …0002 (#${second?.id})`,
    `keykeeper changed 1 key of channel several (#${id}): …0002 (#${second?.id}): weight 1 → 3`,
    `keykeeper changed 1 key of channel several (#${id}): …0002 (#${second?.id}): status Enabled → "Manually disabled"`,
    `keykeeper removed 1 key of channel several (#${id}): …0002 (#${second?.id})`,
  ]);
  expect(logs.every(({ type }) => type === logType.management)).toBe(true);
  expect(first?.id).toBeGreaterThan(0);
});

test('[A29.1] keys appear in no response, log entry, export or column', async () => {
  const { id } = await channelWith(2, 3);
  await admin.call(channelApi.list, { query: { size: 100 } });
  await admin.send(channelExportApi.all, { query: { format: 'jsonl' } });
  await admin.send(channelKeyApi.test, { params: { id }, body: { key: 1 } });
  const tables = ['channels', 'channel_keys', 'logs'] as const;
  const rows = await Promise.all(tables.map((table) => sql`select * from ${sql.table(table)}`.execute(app.database)));
  expect(JSON.stringify(rows.map((result) => result.rows))).not.toContain(marker);
  expect(seen.length).toBeGreaterThan(60);
  expect(seen.filter((text) => text.includes(marker))).toEqual([]);
});
