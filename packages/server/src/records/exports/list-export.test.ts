import {
  type Endpoint,
  redemptionExportApi,
  type Token,
  tokenApi,
  tokenExportApi,
  totalHeader,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { listExportFixture, listRows, type Query } from '../../testing/records/list-export-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

// Every export starts a thread that loads its modules again, so tests share one file per list and format.
const app = await useTestApp();
const { admin, owner, stranger, cases } = await listExportFixture(app);

const textOf = async (client: ApiClient, endpoint: Endpoint, query: Query, language = 'en') =>
  (await client.send(endpoint, { query, headers: { 'accept-language': language } })).text;

const csvOf = async (name: keyof typeof cases) => textOf(cases[name].client, cases[name].all, {});
const csv = {
  users: await csvOf('users'),
  tokens: await csvOf('tokens'),
  channels: await csvOf('channels'),
  codes: await csvOf('codes'),
};

const lineOf = (text: string, pattern: RegExp) => text.split('\r\n').find((line) => pattern.test(line));

function readLines(text: string) {
  const lines = text.trimEnd().split('\n');
  const values = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { rows: values.slice(0, -1), end: values.at(-1) };
}

describe.each(Object.keys(cases) as (keyof typeof cases)[])('export of %s', (name) => {
  const { client, all, chosen, filters, ...list } = cases[name];

  test('exports the filtered rows of the list as JSON lines', async () => {
    const query = filters[1] ?? {};
    const expected = await listRows({ client, ...list }, query);
    const { text, headers } = await client.send(all, { query: { ...query, format: 'jsonl' } });
    expect(readLines(text)).toEqual({ rows: expected, end: { complete: true, rows: expected.length } });
    expect(headers.get(totalHeader)).toBe(String(expected.length));
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename="${name}-[\\d-]+\\.jsonl"$`));
  });

  test('[A32.1] writes every row to the CSV file without formulas', async () => {
    const expected = await listRows({ client, ...list }, {});
    const lines = csv[name].trimEnd().split('\r\n');
    expect(lines.slice(1, -1).map((line) => Number(line.split(',')[0]))).toEqual(expected.map(({ id }) => id));
    expect(lines.at(-1)).toBe(`Complete,${expected.length} of ${expected.length} rows`);
    expect(csv[name]).toContain(`"'=1+1, ""quoted"""`);
    expect(csv[name]).not.toMatch(/(^|,)"?=1/m);
  });

  test('exports only the selected rows, newest first', async () => {
    const every = await listRows({ client, ...list }, {});
    const some = [every[2], every[0]].flatMap((row) => row?.id ?? []);
    const body = { ids: [...some, 987_654], format: 'jsonl' };
    const { rows, end } = readLines((await client.send(chosen, { body })).text);
    expect(rows.map(({ id }) => id)).toEqual(some.toReversed());
    expect(end).toEqual({ complete: true, rows: 2 });
    expect((await client.send(chosen, { body: { ids: [] } })).status).toBe(400);
  });
});

test('[A32.4] exports no tokens of other users, even if they are selected by id', async () => {
  const foreign = await listRows({ ...cases.tokens, client: stranger }, {});
  const ids = foreign.map(({ id }) => id);
  const chosen = await owner.send(tokenExportApi.chosen, { body: { ids, format: 'jsonl' } });
  expect(readLines(chosen.text)).toEqual({ rows: [], end: { complete: true, rows: 0 } });
  const query = { format: 'jsonl', user_id: Number(foreign[0]?.['user_id']) };
  const { rows } = readLines(await textOf(owner, tokenExportApi.all, query));
  expect(rows.map(({ id }) => id)).toEqual((await listRows(cases.tokens, {})).map(({ id }) => id));
});

test('[A32.4] [A29.1] exports of channels, tokens and users contain neither keys nor encrypted values', async () => {
  const names = ['channels', 'tokens', 'users'] as const;
  const lines = await Promise.all(
    names.map(async (name) =>
      // One export per user at a time.
      textOf(name === 'users' ? await app.as('admin') : cases[name].client, cases[name].all, { format: 'jsonl' }),
    ),
  );
  const text = [...lines, ...names.map((name) => csv[name])].join('');
  const tokens = await owner.call(tokenApi.list, { query: {} });
  const stored = [
    ...(await app.database.selectFrom('channels').select(['key_sealed', 'key_fingerprint', 'config_sealed']).execute()),
    ...(await app.database.selectFrom('tokens').select(['key_sealed', 'key_hash']).execute()),
    ...(await app.database.selectFrom('users').select('password_hash').execute()),
  ].flatMap((row) => Object.values(row));
  const keys = (tokens as readonly Token[]).map(({ key }) => key);
  const secrets = ['sk-secret', 'SECRET', ...keys, ...stored].filter(Boolean) as string[];
  expect(secrets.length).toBeGreaterThan(20);
  expect(text).toContain('bedrock');
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

describe('CSV files', () => {
  test('a CSV file of users contains role, status and balance', () => {
    expect(csv.users.split('\r\n')[0]).toBe(
      'ID,Username,Display name,Email,Role,Status,Group,Remaining quota,Remaining quota (USD),Used quota,' +
        'Used quota (USD),Requests,Invited by',
    );
    expect(lineOf(csv.users, /,ben,/)).toMatch(
      /^\d+,ben,.*,ben@example\.com,Admin,Activated,default,-5,-0\.00001,1250000,2\.5,0,$/,
    );
  });

  test('a CSV file of tokens shows unlimited quota and no expiry as text', () => {
    expect(csv.tokens.split('\r\n')[0]).toContain('Remaining quota,Remaining quota (USD),Used quota');
    expect(lineOf(csv.tokens, /,open,/)).toMatch(/^\d+,open,Enabled,Unlimited,Unlimited,0,0,[\d-]+ [\d:]+,,Never,{7}$/);
  });

  test('a CSV file of channels contains the names of types, states and reasons', () => {
    expect(lineOf(csv.channels, /,one,/)).toMatch(
      /^\d+,one,custom channel,Enabled,,east,default,"gpt-4o,o3",0,0,https:\/\/one\.example,,0,0,[\d-]+ [\d:]+,,,,$/,
    );
  });

  test('a CSV file of redemption codes contains full codes, in the language and time zone of the request', async () => {
    const [code] = await listRows(cases.codes, { status: 3 });
    await app.database
      .updateTable('redemptions')
      .set({ created_time: 0, redeemed_time: 86_400 })
      .where('id', '=', code?.id ?? 0)
      .execute();
    const text = await textOf(admin, redemptionExportApi.all, { status: 3, time_zone: 'Asia/Shanghai' }, 'zh-CN');
    expect(text.trimEnd().split('\r\n')).toEqual([
      'ID,名称,兑换码,状态,额度（点）,额度（美元）,创建时间,创建者,兑换时间,兑换者,使用次数,最多使用次数,过期时间,套餐 ID',
      `${code?.id},spring,${code?.['key']},已使用,250000,0.5,,${code?.['user_id']},1970-01-02 08:00:00,${code?.['redeemed_user_id']},1,1,,`,
      '完整,1 / 1 行',
    ]);
  });
});
