import { type Data, type Redemption, redemptionApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashSecret, SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser, logsOf } = accountsOf(app);
const { user: someAdmin, client: admin } = await signedInUser({ role: 10 });

const create = (body: object, client: ApiClient = admin) => client.send(redemptionApi.create, { body });
const codes = ({ database }: Pick<TestApp, 'database'> = app) =>
  database.selectFrom('redemptions').selectAll().orderBy('id').execute();

async function newCode(body: object = {}): Promise<Redemption> {
  await admin.call(redemptionApi.create, { body: { name: 'code', quota: 100, ...body } });
  const [code] = await admin.call(redemptionApi.list, { query: { size: 1 } });
  if (!code) throw new Error('no code was made');
  return code;
}

const rejected = (message: string | RegExp) => ({
  success: false,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
});

describe('[S7.56] [A7.1] creating codes', () => {
  test('[S3.42] returns 32 hexadecimal digits each, with every field', async () => {
    const before = nowInSeconds();
    const { body } = await create({ name: ' 新年 🎁 ', quota: 1000, count: 3 });
    const { data } = body as { data: string[] };
    expect(body).toEqual({ success: true, message: '', data: Array(3).fill(expect.stringMatching(/^[0-9a-f]{32}$/)) });
    expect(new Set(data).size).toBe(3);
    const rows = await admin.call(redemptionApi.list, { query: { size: 3 } });
    expect(rows.map(({ key }) => key).sort()).toEqual(data.toSorted());
    const expected: Data<typeof redemptionApi.get> = {
      id: expect.any(Number),
      user_id: someAdmin.id,
      key: expect.any(String),
      status: 1,
      name: '新年 🎁',
      quota: 1000,
      created_time: expect.any(Number),
      redeemed_time: 0,
      redeemed_user_id: 0,
      expired_time: 0,
      max_uses: 1,
      use_count: 0,
      plan_id: 0,
    };
    for (const row of rows) {
      expect(row).toEqual(expected);
      expect(row.created_time).toBeGreaterThanOrEqual(before);
      expect(await admin.call(redemptionApi.get, { params: { id: row.id } })).toEqual(row);
    }
    expect((await logsOf(someAdmin.id)).at(-1)).toEqual({
      type: 3,
      content: `${someAdmin.username} created 3 codes named 新年 🎁 worth $0.002000 each`,
      quota: 0,
      username: someAdmin.username,
    });
  });

  test('stores the codes hashed and encrypted, never in plain text', async () => {
    const { id, key } = await newCode();
    const row = (await codes()).find((code) => code.id === id);
    expect(JSON.stringify(row)).not.toContain(key);
    expect(row?.key_hash).toBe(hashSecret(key));
    expect(Buffer.from(row?.key_sealed.slice(3) ?? '', 'base64').toString('latin1')).not.toContain(key);
    expect(new SecretBox(loadSecretKey(app.location.dataDir, undefined)).open(row?.key_sealed ?? '')).toBe(key);
    expect(JSON.stringify(await app.database.selectFrom('logs').selectAll().execute())).not.toContain(key);
  });

  test('[S9.27] creates one code by default and at most a hundred', async () => {
    expect(await admin.call(redemptionApi.create, { body: { name: 'one', quota: 1 } })).toHaveLength(1);
    const hundred = await admin.call(redemptionApi.create, { body: { name: 'hundred', quota: 1, count: 100 } });
    expect(new Set(hundred).size).toBe(100);
  });

  test.each([101, 1e9, Number.MAX_SAFE_INTEGER])(
    'rejects a count of %i and returns the allowed range',
    async (count) => {
      const before = await codes();
      const response = await create({ name: 'many', quota: 1, count });
      expect(response.status).toBe(200);
      expect(response.body).toEqual(rejected('At most 100 codes can be created at once'));
      const headers = { 'accept-language': 'zh-CN' };
      const chinese = await admin.send(redemptionApi.create, { body: { name: 'many', quota: 1, count }, headers });
      expect(chinese.body).toEqual(rejected('一次兑换码批量生成的个数不能大于 100'));
      expect(await codes()).toEqual(before);
    },
  );

  test.each<[object, string]>([
    [{ count: 0 }, 'count'],
    [{ count: -1 }, 'count'],
    [{ count: 1.5 }, 'count'],
    [{ count: '5' }, 'count'],
    [{ count: null }, 'count'],
    [{ count: 1e300 }, 'count'],
    [{ name: '' }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(21) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: undefined }, 'name'],
    [{ quota: 0 }, 'quota'],
    [{ quota: -5 }, 'quota'],
    [{ quota: 0.5 }, 'quota'],
    [{ quota: '5' }, 'quota'],
    [{ quota: 1_000_000_000_000_001 }, 'quota'],
    [{ quota: undefined }, 'quota'],
  ])('rejects creating codes with %j', async (bad, field) => {
    const before = await codes();
    const response = await create({ name: 'bad', quota: 1, ...bad });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(rejected(new RegExp(`^Invalid parameter: ${field}`)));
    expect(await codes()).toEqual(before);
  });

  test('ignores fields that cannot be set', async () => {
    const code = await newCode({ id: 5, user_id: 1, key: 'mine', status: 3, redeemed_user_id: 1, created_time: 1 });
    expect(code).toMatchObject({ user_id: someAdmin.id, status: 1, redeemed_user_id: 0 });
    expect(code.key).toMatch(/^[0-9a-f]{32}$/);
  });
});

test('creates up to the configured number of codes, all or none', async () => {
  const breakAfter500 = async ({ database }: TestApp) => {
    const condition = `new.name = 'breaks' and (select count(*) from redemptions where name = 'breaks') >= 500`;
    const statements =
      inject('database') === 'sqlite'
        ? [`create trigger breaks before insert on redemptions when ${condition} begin select raise(abort, 'no'); end`]
        : [
            `create function breaks() returns trigger language plpgsql as
             'begin if ${condition.replaceAll("'", "''")} then raise exception ''no''; end if; return new; end'`,
            'create trigger breaks before insert on redemptions for each row execute function breaks()',
          ];
    for (const statement of statements) await sql.raw(statement).execute(database);
  };
  await using large = await startTestApp({ options: { RedemptionBatchLimit: '600' } });
  const client = await large.as('admin');
  await breakAfter500(large);
  const made = await client.call(redemptionApi.create, { body: { name: 'sound', quota: 1, count: 600 } });
  expect(new Set(made).size).toBe(600);
  expect((await create({ name: 'breaks', quota: 1, count: 601 }, client)).body).toEqual(
    rejected('At most 600 codes can be created at once'),
  );
  const logs = await large.database.selectFrom('logs').selectAll().execute();
  expect((await create({ name: 'breaks', quota: 1, count: 600 }, client)).status).toBe(500);
  expect((await codes(large)).filter(({ name }) => name === 'breaks')).toEqual([]);
  expect(await large.database.selectFrom('logs').selectAll().execute()).toEqual(logs);
  expect(await client.call(redemptionApi.create, { body: { name: 'breaks', quota: 1, count: 500 } })).toHaveLength(500);
});
