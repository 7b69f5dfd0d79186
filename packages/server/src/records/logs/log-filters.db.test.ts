import { channelApi, type Log, logApi } from '@headgate/contract';
import { reply } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { sampleHour, sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const reader = await app.createUser();
const own = await app.signedIn(reader.username, reader.password);

const random = sampleNumbers(3);
const pick = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

await writeLogs(
  app.database,
  Array.from({ length: 300 }, () => {
    const type = pick(2, 2, 2, 3, 5);
    return {
      ...pick(
        { user_id: 1001, username: 'Ann_Lee' },
        { user_id: 1002, username: 'annXlee' },
        { user_id: reader.id, username: reader.username },
      ),
      type,
      created_at: sampleHour + pick(0, 1, 3599, 3600, 7300, 90_000),
      token_name: pick('100%', '1000', 'CI of Müller', 'ci of müller', ''),
      model_name: pick('gpt-5', 'GPT-5-mini', 'o3', ''),
      channel: pick(0, 7),
      quota: type === 2 ? pick(10, 200, 3000) : 0,
      reason: type === 5 ? ('timeout' as const) : ('' as const),
    };
  }),
);

const stored = (await app.database.selectFrom('logs').selectAll().execute()).sort(
  (one, other) => other.created_at - one.created_at || other.id - one.id,
);

type Query = Readonly<Record<string, string | number>>;

/** Reference implementation of the filters. */
const finds = ({ contains = '', ...query }: Query) => {
  const names = String(contains).split(',');
  return (row: object) =>
    Object.entries(query).every(([name, value]) => {
      const found = (row as Record<string, unknown>)[name];
      return names.includes(name) ? String(found).toLowerCase().includes(String(value).toLowerCase()) : found === value;
    });
};

const questions: readonly Query[] = [
  { model_name: 'gpt', contains: 'model_name' },
  { model_name: '5-MINI', contains: 'model_name' },
  { token_name: '0%', contains: 'token_name' },
  { token_name: 'MÜLLER', contains: 'token_name' },
  { username: 'n_l', contains: 'username' },
  { username: 'ann', token_name: 'ci', model_name: 'gpt-5', contains: 'username,token_name' },
  { username: 'lee', model_name: 'o', type: 2, channel: 7, contains: 'model_name,username' },
  { model_name: 'gpt', reason: 'timeout', type: 5, contains: 'model_name' },
  { username: 'ann', reason: 'timeout', type: 5, contains: 'username' },
  { model_name: 'nobody asked for it', contains: 'model_name' },
  { model_name: 'gpt' },
];

describe.each(questions)('filter %j', (query) => {
  test('finds logs that contain the text, case-insensitively and without wildcards', async () => {
    const expected = stored.filter(finds(query));
    const { rows, total } = await admin.page(logApi.list, { query: { ...query, size: 100 } });
    expect(total).toBe(expected.length);
    expect(rows.map(({ id }) => id)).toEqual(expected.slice(0, 100).map(({ id }) => id));
    const consumed = stored.filter(finds({ ...query, type: 2 })).reduce((sum, { quota }) => sum + quota, 0);
    const { quota } = await admin.call(logApi.stat, { query: query });
    expect(quota).toBe(query['reason'] === undefined ? consumed : 0);
  });

  test("finds only the user's own logs in their list", async () => {
    const { username: _username, channel: _channel, ...rest } = query;
    const expected = stored.filter(({ user_id }) => user_id === reader.id).filter(finds(rest));
    const { rows, total } = await own.page(logApi.listOwn, { query: { ...rest, size: 100 } });
    expect(total).toBe(expected.length);
    expect(rows.map(({ id }) => id)).toEqual(expected.slice(0, 100).map(({ id }) => id));
  });
});

test('exports exactly the rows that contain the text', async () => {
  const query = { model_name: 'gpt', contains: 'model_name', format: 'jsonl' } as const;
  const { text } = await admin.send(logApi.export, { query });
  const lines = text.trim().split('\n');
  expect(lines.length - 1).toBe(stored.filter(finds({ model_name: 'gpt', contains: 'model_name' })).length);
});

const completion = reply({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

test('finds a request by the id returned to the client, only for its owner', async () => {
  const scene = await relayFixture(app, { upstreams: [completion] });
  await scene.chat();
  const request_id = (await scene.chat()).headers.get('x-request-id') ?? '';
  const query = { request_id, size: 100 };
  const { rows, total } = await admin.page(logApi.list, { query });
  expect(rows).toMatchObject([{ request_id, user_id: scene.user.id }]);
  expect(total).toBe(1);
  const [row] = rows as [Log];
  expect(await admin.call(logApi.stat, { query: { request_id } })).toEqual({ quota: row.quota });
  expect(await scene.client.call(logApi.listOwn, { query })).toMatchObject([{ request_id }]);
  expect(await own.call(logApi.listOwn, { query })).toEqual([]);
  expect(await admin.call(logApi.list, { query: { ...query, end_timestamp: nowInSeconds() - 3600 } })).toEqual([]);
  await scene.close();
});

test('finds request ids of earlier versions, which contain no time', async () => {
  const request_id = '0b8f9c56-60a1-4c7f-9f0e-0d4d3b9e2f11';
  await writeLogs(app.database, [{ request_id, created_at: sampleHour + 5 }]);
  expect(await admin.call(logApi.list, { query: { request_id } })).toMatchObject([{ request_id }]);
});

describe('filter suggestions', () => {
  test('suggests distinct names that contain the keyword', async () => {
    const suggest = async (field: 'username' | 'token_name' | 'model_name' | 'channel', keyword: string) =>
      (await admin.call(logApi.suggest, { query: { field, keyword } })).map(({ value }) => value);
    expect((await suggest('username', 'lee')).sort()).toEqual(['Ann_Lee', 'annXlee']);
    expect(await suggest('token_name', '0%')).toEqual(['100%']);
    expect((await suggest('model_name', 'GPT-5')).filter((name) => name !== 'gpt-4o').sort()).toEqual(
      ['GPT-5-mini', 'gpt-5'].sort(),
    );
    expect((await suggest('model_name', '')).sort()).toEqual(expect.arrayContaining(['GPT-5-mini', 'gpt-5', 'o3']));
  });

  test('suggests channels with id and name', async () => {
    await admin.call(channelApi.create, { body: { name: 'azure-of-suggestions', key: 'k', models: 'm' } });
    const [channel] = await admin.call(channelApi.search, { query: { keyword: 'azure-of-suggestions' } });
    const found = { value: String(channel?.id), name: 'azure-of-suggestions' };
    const suggest = (keyword: string) => admin.call(logApi.suggest, { query: { field: 'channel', keyword } });
    expect(await suggest('OF-suggestions')).toEqual([found]);
    // The names of other channels may contain these digits.
    expect(await suggest(String(channel?.id))).toContainEqual(found);
  });

  test("suggests only the user's own tokens and models for their logs", async () => {
    const now = nowInSeconds();
    await writeLogs(app.database, [
      { user_id: reader.id, username: reader.username, created_at: now, token_name: 'mine', model_name: 'own-model' },
      { user_id: 1002, username: 'bob', created_at: now, token_name: 'mine too', model_name: 'own-model-not' },
    ]);
    const send = (field: 'token_name' | 'model_name', keyword: string) =>
      own.call(logApi.suggestOwn, { query: { field, keyword } });
    expect(await send('token_name', 'mine')).toEqual([{ value: 'mine', name: '' }]);
    expect(await send('model_name', 'own-model')).toEqual([{ value: 'own-model', name: '' }]);
    expect((await own.send(logApi.suggest, { query: { field: 'username', keyword: '' } })).status).toBe(403);
  });
});
