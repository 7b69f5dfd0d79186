import {
  type Channel,
  channelApi,
  channelExportApi,
  type Endpoint,
  type Redemption,
  redemptionApi,
  redemptionExportApi,
  type Token,
  tokenApi,
  tokenExportApi,
  totalHeader,
  type User,
  userApi,
  userExportApi,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { createChannel } from '../testing/channel-fixtures.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const owner = await app.as('user');
const stranger = await app.as('user');

type Query = Readonly<Record<string, string | number>>;
type Row = User | Token | Channel | Redemption;

const formula = '=1+1, "quoted"';

beforeAll(async () => {
  await app.createUser({ username: 'ann', display_name: formula, group: 'vip,default', quota: 900, status: 2 });
  await app.createUser({ username: 'ben', email: 'ben@example.com', quota: -5, used_quota: 1_250_000, role: 10 });
  await app.createUser({ username: 'gone', status: 3 });
  await createChannel(app, admin, {
    name: 'one',
    key: 'sk-secret-one',
    tag: 'east',
    models: 'gpt-4o,o3',
    type: 8,
    base_url: 'https://one.example',
  });
  await createChannel(app, admin, { name: formula, key: 'sk-secret-two', group: 'vip', system_prompt: 'Be short' });
  await createChannel(app, admin, {
    name: 'bedrock',
    key: '',
    type: 33,
    config: JSON.stringify({ region: 'eu-1', ak: 'AKSECRET', sk: 'SKSECRET' }),
  });
  await app.database.updateTable('channels').set({ is_failing: 1 }).where('name', '=', 'one').execute();
  for (const client of [owner, stranger]) {
    await client.call(tokenApi.create, { body: { name: formula, remain_quota: 500_000, models: 'o3', subnet: '::1' } });
    await client.call(tokenApi.create, { body: { name: 'spent', remain_quota: 0 } });
    await client.call(tokenApi.create, { body: { name: 'open', unlimited_quota: true } });
  }
  await admin.call(redemptionApi.create, { body: { name: 'spring', quota: 250_000, count: 3 } });
  await admin.call(redemptionApi.create, { body: { name: formula, quota: 10 } });
  const [code] = await admin.call(redemptionApi.search, { query: { keyword: 'spring', size: 1 } });
  await owner.call(userApi.redeem, { body: { key: code?.key ?? '' } });
});

/** All rows of a list that its own calls give, newest first. */
async function listed(client: ApiClient, search: Endpoint, query: Query): Promise<Row[]> {
  const rows: Row[] = [];
  for (let p = 0; ; p += 1) {
    const { body } = await client.send(search, { query: { ...query, p, size: 100, sort: 'id', direction: 'desc' } });
    const page = (body as { data: Row[] }).data;
    rows.push(...page);
    if (page.length < 100) return rows;
  }
}

const without = (rows: readonly Row[], ...names: readonly string[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))));

function readLines(text: string) {
  const lines = text.trimEnd().split('\n');
  const values = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { rows: values.slice(0, -1), end: values.at(-1) };
}

interface Case {
  readonly client: ApiClient;
  readonly search: Endpoint;
  readonly all: Endpoint;
  readonly chosen: Endpoint;
  /** What the list shows and a file does not. */
  readonly left: readonly string[];
  readonly filters: readonly Query[];
}

const cases: Readonly<Record<string, Case>> = {
  users: {
    client: admin,
    search: userApi.search,
    all: userExportApi.all,
    chosen: userExportApi.chosen,
    left: [],
    filters: [
      {},
      { keyword: 'BEN@' },
      { role: 10 },
      { status: 2, group: 'vip' },
      { quota_below: 0 },
      { quota_from: 1 },
    ],
  },
  tokens: {
    client: owner,
    search: tokenApi.search,
    all: tokenExportApi.all,
    chosen: tokenExportApi.chosen,
    left: ['key'],
    filters: [{}, { keyword: 'SPE' }, { status: 4 }, { status: 1, keyword: 'o' }],
  },
  channels: {
    client: admin,
    search: channelApi.search,
    all: channelExportApi.all,
    chosen: channelExportApi.chosen,
    left: ['key', 'config', 'resting_seconds', 'paused_models'],
    filters: [
      {},
      { keyword: 'sk-secret-two' },
      { type: 8 },
      { group: 'vip' },
      { model: 'o3', tag: 'east' },
      { failing: 1 },
      { status: 3 },
    ],
  },
  codes: {
    client: admin,
    search: redemptionApi.search,
    all: redemptionExportApi.all,
    chosen: redemptionExportApi.chosen,
    left: [],
    filters: [{}, { keyword: 'SPRING' }, { status: 3 }, { keyword: 'spring', status: 1 }],
  },
};

describe.each(Object.entries(cases))('an export of %s', (name, { client, search, all, chosen, left, filters }) => {
  test.each(filters)('has the rows of the list, %j', async (query) => {
    const expected = await listed(client, search, query);
    const { text, headers } = await client.send(all, { query: { ...query, format: 'jsonl' } });
    const { rows, end } = readLines(text);
    expect(rows).toEqual(without(expected, ...left));
    expect(end).toEqual({ complete: true, rows: expected.length });
    expect(headers.get(totalHeader)).toBe(String(expected.length));
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename="${name}-[\\d-]+\\.jsonl"$`));
    const csv = (await client.send(all, { query })).text;
    const lines = csv.trimEnd().split('\r\n');
    expect(lines.slice(1, -1).map((line) => Number(line.split(',')[0]))).toEqual(expected.map(({ id }) => id));
    expect(lines.at(-1)).toBe(`Complete,${expected.length} of ${expected.length} rows`);
  });

  test('has chosen rows alone, newest first', async () => {
    const every = await listed(client, search, {});
    const some = [every[2], every[0]].flatMap((row) => row?.id ?? []);
    const body = { ids: [...some, 987_654], format: 'jsonl' };
    const { text } = await client.send(chosen, { body });
    const { rows, end } = readLines(text);
    expect(rows.map(({ id }) => id)).toEqual(some.toReversed());
    expect(end).toEqual({ complete: true, rows: 2 });
    expect((await client.send(chosen, { body: { ids: [] } })).status).toBe(400);
  });

  test('[A32.1] has no formula', async () => {
    const { text } = await client.send(all);
    expect(text).toContain(`"'=1+1, ""quoted"""`);
    expect(text).not.toMatch(/(^|,)"?=1/m);
  });
});

test('[A32.4] tokens of others are in nobody’s export, chosen or not', async () => {
  const foreign = await listed(stranger, tokenApi.search, {});
  const ids = foreign.map(({ id }) => id);
  const chosen = await owner.send(tokenExportApi.chosen, { body: { ids, format: 'jsonl' } });
  expect(readLines(chosen.text)).toEqual({ rows: [], end: { complete: true, rows: 0 } });
  const all = await owner.send(tokenExportApi.all, { query: { format: 'jsonl', user_id: foreign[0]?.id } });
  expect(readLines(all.text).rows.some(({ id }) => ids.includes(Number(id)))).toBe(false);
});

test.each(['csv', 'jsonl'])(
  '[A32.4] [A29.1] neither keys nor what is sealed is in a %s of channels, tokens or users',
  async (format) => {
    const texts = await Promise.all([
      admin.send(channelExportApi.all, { query: { format } }),
      owner.send(tokenExportApi.all, { query: { format } }),
      (await app.as('admin')).send(userExportApi.all, { query: { format } }),
    ]);
    const text = texts.map((answer) => answer.text).join('');
    const tokens = (await listed(owner, tokenApi.search, {})) as Token[];
    const stored = [
      ...(await app.database
        .selectFrom('channels')
        .select(['key_sealed', 'key_fingerprint', 'config_sealed'])
        .execute()),
      ...(await app.database.selectFrom('tokens').select(['key_sealed', 'key_hash']).execute()),
      ...(await app.database.selectFrom('users').select('password_hash').execute()),
    ].flatMap((row) => Object.values(row));
    const secrets = ['sk-secret', 'SECRET', ...tokens.map(({ key }) => key), ...stored].filter(Boolean) as string[];
    expect(secrets.length).toBeGreaterThan(20);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  },
);

describe('a CSV', () => {
  const linesOf = async (client: ApiClient, endpoint: Endpoint, query: Query, language = 'en') => {
    const { text } = await client.send(endpoint, { query, headers: { 'accept-language': language } });
    return text.trimEnd().split('\r\n');
  };

  test('of users says who they are and what they have', async () => {
    const [head, line] = await linesOf(admin, userExportApi.all, { keyword: 'ben@' });
    expect(head).toBe(
      'ID,Username,Display name,Email,Role,Status,Group,Remaining quota,Remaining quota in dollars,Used quota,' +
        'Used quota in dollars,Requests,Invited by',
    );
    expect(line).toMatch(/^\d+,ben,.*,ben@example\.com,Admin,Activated,default,-5,-0\.00001,1250000,2\.5,0,$/);
  });

  test('of tokens has words for what has no number', async () => {
    const [head, line] = await linesOf(owner, tokenExportApi.all, { keyword: 'open' });
    expect(head).toContain('Remaining quota,Remaining quota in dollars,Used quota');
    expect(line).toMatch(/^\d+,open,Enabled,Unlimited,Unlimited,0,0,[\d-]+ [\d:]+,,Never,{6}$/);
  });

  test('of channels names types, states and reasons', async () => {
    const [, line] = await linesOf(admin, channelExportApi.all, { tag: 'east' });
    expect(line).toMatch(
      /^\d+,one,custom channel,Enabled,,east,default,"gpt-4o,o3",0,0,https:\/\/one\.example,,0,0,[\d-]+ [\d:]+,,,,$/,
    );
  });

  test('of codes has them in full, in the language and the time zone of whoever asks', async () => {
    const [code] = (await listed(admin, redemptionApi.search, { status: 3 })) as Redemption[];
    await app.database
      .updateTable('redemptions')
      .set({ created_time: 0, redeemed_time: 86_400 })
      .where('id', '=', code?.id ?? 0)
      .execute();
    const query = { status: 3, time_zone: 'Asia/Shanghai' };
    const lines = await linesOf(admin, redemptionExportApi.all, query, 'zh-CN');
    expect(lines).toEqual([
      'ID,名称,兑换码,状态,额度点数,额度（美元）,创建时间,创建者,兑换时间,兑换者',
      `${code?.id},spring,${code?.key},已使用,250000,0.5,,${code?.user_id},1970-01-02 08:00:00,${code?.redeemed_user_id}`,
      '完整,1 / 1 行',
    ]);
  });
});
