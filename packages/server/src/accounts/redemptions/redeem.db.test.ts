import { redemptionApi, userApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser, rowOf, logsOf } = accountsOf(app);
const admin = await app.as('admin');

interface Limits {
  readonly max_uses?: number;
  readonly expired_time?: number;
}

/** Creates a code and returns it with its id. */
async function newCode(quota: number, limits: Limits = {}): Promise<{ id: number; key: string }> {
  const [key = ''] = await admin.call(redemptionApi.create, { body: { name: 'gift', quota, ...limits } });
  const [code] = await admin.call(redemptionApi.list, { query: { size: 1 } });
  expect(code?.key).toBe(key);
  return { id: code?.id ?? 0, key };
}

const codeRow = (id: number) =>
  app.database.selectFrom('redemptions').selectAll().where('id', '=', id).executeTakeFirst();

const redeem = (client: ApiClient, key: unknown, headers = {}) =>
  client.send(userApi.redeem, { body: { key }, headers });

const rejected = (message: string) => ({ success: false, message });
const used = rejected('This redemption code has already been used');
const isSuccess = ({ body }: { body: unknown }) => (body as { success: boolean }).success;

test('[S1.6] a code adds its quota once and is logged', async () => {
  const { user, client } = await signedInUser({ quota: 5, used_quota: 2 });
  const { id, key } = await newCode(500_000);
  const before = nowInSeconds();
  const response = await redeem(client, `  ${key}\n`);
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ success: true, message: '', data: 500_000 });
  expect(await rowOf(user.id)).toMatchObject({ quota: 500_005, credited: 500_007, used_quota: 2 });
  expect(await logsOf(user.id)).toEqual([
    { type: 1, content: 'Redeemed a code worth $1.000000', quota: 500_000, username: user.username },
  ]);
  const row = await admin.call(redemptionApi.get, { params: { id } });
  expect(row).toMatchObject({ status: 3, key, quota: 500_000, redeemed_user_id: user.id });
  expect(row.redeemed_time).toBeGreaterThanOrEqual(before);
  expect(row.redeemed_time).toBeLessThanOrEqual(nowInSeconds());

  expect((await redeem(client, key)).body).toEqual(used);
  expect((await redeem((await signedInUser()).client, key)).body).toEqual(used);
  expect(await rowOf(user.id)).toMatchObject({ quota: 500_005 });
  expect(await codeRow(id)).toMatchObject({ redeemed_user_id: user.id, redeemed_time: row.redeemed_time });
});

describe('a code that cannot be redeemed returns a specific error', () => {
  const cases: [string, () => Promise<string>, string, string][] = [
    ['an empty code', async () => '', 'No redemption code was given', '未提供兑换码'],
    ['a blank code', async () => ' \t ', 'No redemption code was given', '未提供兑换码'],
    ['an unknown code', async () => 'f'.repeat(32), 'This redemption code is not valid', '兑换失败，无效的兑换码'],
    ['a wildcard', async () => '%', 'This redemption code is not valid', '兑换失败，无效的兑换码'],
    [
      'a code in upper case',
      async () => (await newCode(5)).key.toUpperCase(),
      'This redemption code is not valid',
      '兑换失败，无效的兑换码',
    ],
    [
      'the stored hash',
      async () => (await codeRow((await newCode(5)).id))?.key_hash ?? '',
      'This redemption code is not valid',
      '兑换失败，无效的兑换码',
    ],
    [
      'a disabled code',
      async () => {
        const { id, key } = await newCode(5);
        await admin.call(redemptionApi.update, { query: { status_only: 'true' }, body: { id, status: 2 } });
        return key;
      },
      'This redemption code is disabled',
      '兑换失败，该兑换码已被禁用',
    ],
    [
      'an expired code',
      async () => (await newCode(5, { expired_time: 1_700_000_000 })).key,
      'This redemption code has expired',
      '兑换失败，该兑换码已过期',
    ],
    [
      'a used code',
      async () => {
        const { key } = await newCode(5);
        await redeem(admin, key);
        return key;
      },
      'This redemption code has already been used',
      '兑换失败，该兑换码已被使用',
    ],
    [
      'a deleted code',
      async () => {
        const { id, key } = await newCode(5);
        await admin.call(redemptionApi.remove, { params: { id } });
        return key;
      },
      'This redemption code is not valid',
      '兑换失败，无效的兑换码',
    ],
  ];

  test.each(cases)('rejects redeeming %s', async (_, keyOf, english, chinese) => {
    const { user, client } = await signedInUser();
    const key = await keyOf();
    const response = await redeem(client, key);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(rejected(english));
    expect((await redeem(client, key, { 'accept-language': 'zh-CN' })).body).toEqual(rejected(chinese));
    expect(await rowOf(user.id)).toMatchObject({ quota: 0, credited: 0 });
    expect(await logsOf(user.id)).toEqual([]);
  });

  test.each([undefined, null, 7, ['x'], { key: 'x' }, 'x'.repeat(201), 'a\u0000'])(
    'rejects the malformed key %j',
    async (key) => {
      expect((await redeem(admin, key)).status).toBe(400);
    },
  );
});

test('[A8.2] a banned account cannot redeem, by cookie or access token, and the code stays unused', async () => {
  const { user, client } = await signedInUser();
  const program = app.client();
  program.headers['authorization'] = await client.call(userApi.makeAccessToken);
  const [key = ''] = await admin.call(redemptionApi.create, { body: { name: 'late', quota: 5, count: 1 } });
  await admin.call(userApi.manage, { body: { username: user.username, action: 'disable' } });
  for (const caller of [client, program]) {
    expect((await caller.send(userApi.redeem, { body: { key } })).status).toBe(401);
  }
  const { client: other } = await signedInUser();
  expect(await other.call(userApi.redeem, { body: { key } })).toBe(5);
});

test('a code that would make the quota overflow stays unused', async () => {
  const { user, client } = await signedInUser({ quota: Number.MAX_SAFE_INTEGER - 9 });
  const { id, key } = await newCode(10);
  const response = await redeem(client, key);
  expect(response.body).toMatchObject({ success: false });
  expect(await codeRow(id)).toMatchObject({ status: 1, redeemed_user_id: 0, redeemed_time: 0 });
  expect(await rowOf(user.id)).toMatchObject({ quota: Number.MAX_SAFE_INTEGER - 9 });
  expect(await logsOf(user.id)).toEqual([]);
});

describe('a code with several uses', () => {
  const again = rejected('You have already redeemed this code');

  test('can be redeemed once by each user until it is used up', async () => {
    const people = await Promise.all([1, 2, 3].map(() => signedInUser()));
    const { id, key } = await newCode(10, { max_uses: 2, expired_time: nowInSeconds() + 3600 });
    const [first, second, third] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
    expect((await redeem(first.client, key)).body).toMatchObject({ success: true, data: 10 });
    expect((await redeem(first.client, key)).body).toEqual(again);
    expect(await codeRow(id)).toMatchObject({ status: 1, use_count: 1, redeemed_user_id: first.user.id });
    const change = (body: object) => admin.send(redemptionApi.update, { query: {}, body: { id, ...body } });
    expect((await change({ max_uses: 1 })).body).toMatchObject({ success: false });
    expect((await change({ quota: 12 })).body).toMatchObject({ success: true });
    expect((await redeem(second.client, key)).body).toMatchObject({ success: true, data: 12 });
    expect((await redeem(third.client, key)).body).toEqual(used);
    expect((await change({ max_uses: 5 })).body).toMatchObject({ success: false });
    expect(await codeRow(id)).toMatchObject({ status: 3, use_count: 2, max_uses: 2 });
    expect(await Promise.all(people.map(async ({ user }) => (await rowOf(user.id))?.quota))).toEqual([10, 12, 0]);
  });

  test('[A2.1] is redeemed once per user and never above its limit by concurrent requests', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => signedInUser()));
    const { id, key } = await newCode(7, { max_uses: 5 });
    const responses = await Promise.all([...people, ...people, ...people].map(({ client }) => redeem(client, key)));
    expect(responses.filter(isSuccess)).toHaveLength(5);
    const quotas = await Promise.all(people.map(async ({ user }) => (await rowOf(user.id))?.quota));
    expect(quotas.toSorted()).toEqual([...Array<number>(7).fill(0), ...Array<number>(5).fill(7)]);
    expect(await codeRow(id)).toMatchObject({ status: 3, use_count: 5 });
  });
});

describe('fifty concurrent redemptions', () => {
  test('[A2.1] one of fifty concurrent redemptions of one code by different users succeeds', async () => {
    const people = await Promise.all(Array.from({ length: 50 }, () => signedInUser()));
    const { id, key } = await newCode(123);
    const responses = await Promise.all(people.map(({ client }) => redeem(client, key)));
    const winners = people.filter((_, index) => isSuccess(responses[index] ?? { body: {} }));
    expect(winners).toHaveLength(1);
    expect(responses.filter((response) => !isSuccess(response)).map(({ body }) => body)).toEqual(Array(49).fill(used));
    const winner = winners[0]?.user.id;
    expect(await codeRow(id)).toMatchObject({ status: 3, redeemed_user_id: winner });
    for (const { user } of people) {
      const quota = user.id === winner ? 123 : 0;
      expect(await rowOf(user.id)).toMatchObject({ quota, credited: quota });
      expect(await logsOf(user.id)).toHaveLength(user.id === winner ? 1 : 0);
    }
  });

  test('[A2.1] one of fifty concurrent redemptions of one code by the same user succeeds', async () => {
    const user = await app.createUser({ quota: 7 });
    const sessions = await Promise.all(Array.from({ length: 50 }, () => app.signedIn(user.username, user.password)));
    const { key } = await newCode(123);
    const responses = await Promise.all(sessions.map((client) => redeem(client, key)));
    expect(responses.filter(isSuccess)).toHaveLength(1);
    expect(await rowOf(user.id)).toMatchObject({ quota: 130, credited: 130 });
    expect(await logsOf(user.id)).toHaveLength(1);
  });

  test('fifty concurrent redemptions of different codes by one user all succeed', async () => {
    const { user, client } = await signedInUser();
    const codes = await admin.call(redemptionApi.create, { body: { name: 'many', quota: 3, count: 50 } });
    const responses = await Promise.all(codes.map((key) => redeem(client, key)));
    expect(responses.filter(isSuccess)).toHaveLength(50);
    expect(await rowOf(user.id)).toMatchObject({ quota: 150, credited: 150 });
    expect(await logsOf(user.id)).toHaveLength(50);
  });

  test('a code is credited at most once while admins disable, change and delete it', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => signedInUser()));
    const { id, key } = await newCode(10);
    const change = (body: object) => admin.send(redemptionApi.update, { query: {}, body: { id, ...body } });
    const responses = await Promise.all(
      people.flatMap(({ client }, index) => [
        change({ status: 2 }),
        redeem(client, key),
        change({ status: 1, quota: 11 + index }),
        ...(index === 15 ? [admin.send(redemptionApi.remove, { params: { id } })] : []),
      ]),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(responses.length).fill(200));
    const code = await codeRow(id);
    const rows = await Promise.all(people.map(({ user }) => rowOf(user.id)));
    const logs = (await Promise.all(people.map(({ user }) => logsOf(user.id)))).flat();
    const given = rows.filter(({ quota }) => quota > 0);
    expect(given.length).toBeLessThanOrEqual(1);
    expect(logs.map(({ quota }) => quota)).toEqual(given.map(({ quota }) => quota));
    if (code?.status === 3) expect(given.map((row) => row.quota)).toEqual([code.quota]);
    expect(code === undefined || code.status === 3 || given.length === 0).toBe(true);
  });
});
