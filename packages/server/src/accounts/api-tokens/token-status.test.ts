import { type Token, tokenApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import type { Updateable } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
afterEach(() => void vi.useRealTimers());

/** Freezes the clock of the app and of the test at this second. */
const freezeAt = (seconds: number) => void vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 });

const rejected = (message: string) => ({ success: false, message });
const inThePast = rejected('The expiry time is in the past');
const isExpired = rejected(
  'The token has expired and cannot be enabled; first change its expiry time or let it never expire',
);
const isExhausted = rejected(
  'The quota of the token is used up and it cannot be enabled; first change its remaining quota or make it unlimited',
);

const rowOf = (id: number) =>
  app.database
    .selectFrom(currentTable(app.database, 'tokens'))
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Creates a token and sets its columns directly in the table. */
async function stored(given: Updateable<Schema['tokens']>) {
  const client = await app.as('user');
  const { id } = await client.call(tokenApi.create, { body: { name: 'token', unlimited_quota: true } });
  await app.database
    .updateTable('tokens')
    .set({ status: 1, ...given })
    .where('id', '=', id)
    .execute();
  const update = (body: object, query = {}) => client.send(tokenApi.update, { body: { id, ...body }, query });
  return { id, client, update };
}

const statusOf = async (client: ApiClient, id: number) => (await client.call(tokenApi.get, { params: { id } })).status;

const shown = (body: unknown) => (body as { data: Token }).data;
const later = nowInSeconds() + 100_000;
const empty = { unlimited_quota: 0, remain_quota: 0 };

describe('[S4.19] [S7.51] status_only', () => {
  test.each(['true', '1', 'yes', 'FALSE', '0'])('status_only=%s changes only the status', async (status_only) => {
    const { id, update } = await stored({});
    const before = await rowOf(id);
    for (const status of [2, 2, 1, 1, 2]) {
      const { body } = await update({ status, name: 'not kept', remain_quota: 5, models: 'x' }, { status_only });
      expect(shown(body)).toMatchObject({ id, status, name: 'token' });
      expect(await rowOf(id)).toEqual({ ...before, status });
    }
  });

  test.each(['false', ''])('status_only=%s is a normal update', async (status_only) => {
    const { id, update } = await stored({});
    await update({ status: 2, name: 'kept' }, { status_only });
    expect(await rowOf(id)).toMatchObject({ status: 2, name: 'kept' });
  });

  test.each([3, 4, undefined])('rejects status %j with status_only', async (status) => {
    const { id, update } = await stored({});
    const response = await update({ status }, { status_only: 'true' });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(rejected('Invalid parameter: status'));
    expect((await rowOf(id)).status).toBe(1);
  });
});

test.each([0, 5, -1, 1.5, '1', true, null])('rejects the status %j', async (status) => {
  const { id, update } = await stored({});
  for (const query of [{}, { status_only: 'true' }]) {
    const response = await update({ status }, query);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ message: expect.stringMatching(/^Invalid parameter: status/) });
  }
  expect((await rowOf(id)).status).toBe(1);
});

describe('enabling a token', () => {
  const reasons: [Updateable<Schema['tokens']>, object][] = [
    [{ expired_time: 1 }, isExpired],
    [{ expired_time: 1, status: 3 }, isExpired],
    [{ expired_time: 1, status: 2 }, isExpired],
    [{ ...empty, expired_time: 1 }, isExpired],
    [empty, isExhausted],
    [{ ...empty, status: 4 }, isExhausted],
    [{ ...empty, status: 2 }, isExhausted],
    [{ unlimited_quota: 0, remain_quota: -7, status: 2 }, isExhausted],
  ];

  test.each(reasons)('rejects enabling %j with the reason and writes nothing', async (given, reason) => {
    const { id, update } = await stored(given);
    const before = await rowOf(id);
    for (const query of [{}, { status_only: 'true' }]) {
      const response = await update({ status: 1, name: 'not kept' }, query);
      expect(response.status).toBe(200);
      expect(response.body).toEqual(reason);
      expect(await rowOf(id)).toEqual(before);
    }
  });

  test.each([
    [{ expired_time: 1 }, '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期'],
    [empty, '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度'],
  ])('rejects enabling %j with an error message in Chinese', async (given, message) => {
    const { id, client } = await stored(given);
    const headers = { 'accept-language': 'zh-CN,zh;q=0.9' };
    const { body } = await client.send(tokenApi.update, { body: { id, status: 1 }, query: {}, headers });
    expect(body).toEqual(rejected(message));
  });

  test('accepts enabling a token together with a change that fixes its expiry or quota', async () => {
    const { id, client, update } = await stored({ ...empty, expired_time: 1, status: 2 });
    expect((await update({ status: 1, expired_time: -1 })).body).toEqual(isExhausted);
    expect((await update({ status: 1, remain_quota: 5 })).body).toEqual(isExpired);
    await update({ status: 1, remain_quota: 5, expired_time: later });
    expect(await statusOf(client, id)).toBe(1);
    expect(await rowOf(id)).toMatchObject({ status: 1, remain_quota: 5, expired_time: later });
  });

  test('accepts an update that removes the quota and sends the unchanged status "enabled"', async () => {
    const { id, client, update } = await stored({});
    const { body } = await update({ status: 1, unlimited_quota: false, remain_quota: 0 });
    expect(shown(body).status).toBe(4);
    expect(await statusOf(client, id)).toBe(4);
  });
});

describe('updating an expired or exhausted token', () => {
  test.each<[Updateable<Schema['tokens']>, object]>([
    [{ expired_time: 1 }, { expired_time: -1 }],
    [{ expired_time: 1, status: 3 }, { expired_time: -1 }],
    [{ expired_time: 1, status: 3 }, { expired_time: later }],
    [empty, { remain_quota: 1 }],
    [{ ...empty, status: 4 }, { remain_quota: 1 }],
    [{ ...empty, status: 4 }, { unlimited_quota: true }],
    [
      { ...empty, expired_time: 1, status: 3 },
      { unlimited_quota: true, expired_time: later },
    ],
    // Forms also send the displayed status.
    [
      { expired_time: 1, status: 3 },
      { expired_time: later, status: 3 },
    ],
    [
      { ...empty, status: 4 },
      { remain_quota: 1, status: 4 },
    ],
  ])('re-enables token %j after the change %j', async (given, change) => {
    const { id, client, update } = await stored(given);
    const { body } = await update(change);
    expect(shown(body).status).toBe(1);
    expect(await statusOf(client, id)).toBe(1);
    expect((await rowOf(id)).status).toBe(1);
  });

  test.each<[object, number]>([
    [{ unlimited_quota: true }, 3],
    [{ expired_time: -1 }, 4],
    [{ name: 'other' }, 3],
  ])('keeps the other reason when only one of two is fixed: %j', async (change, status) => {
    const { update } = await stored({ ...empty, expired_time: 1, status: 3 });
    expect(shown((await update(change)).body).status).toBe(status);
  });

  test.each<[Updateable<Schema['tokens']>, object]>([
    [{ status: 2, expired_time: 1 }, { expired_time: -1 }],
    [{ status: 2, ...empty }, { remain_quota: 5 }],
    [{ status: 2, ...empty }, { unlimited_quota: true }],
    [{ status: 2 }, { name: 'other', models: 'x', subnet: '::1' }],
    [
      { status: 2, expired_time: 1 },
      { expired_time: later, status: 3 },
    ],
    [
      { status: 2, ...empty },
      { remain_quota: 1, status: 4 },
    ],
    [{ status: 2 }, {}],
  ])('never enables a token that its owner disabled: %j changed to %j', async (given, change) => {
    const { id, client, update } = await stored(given);
    expect(shown((await update(change)).body).status).toBe(2);
    expect(await statusOf(client, id)).toBe(2);
    expect((await rowOf(id)).status).toBe(2);
  });

  test('extending the expiry does not undo a concurrent disable', async () => {
    const { id, update } = await stored({ ...empty, status: 4 });
    const edits = Array.from({ length: 10 }, (_, index) => update({ remain_quota: index + 1 }));
    await Promise.all([...edits, update({ status: 2 }, { status_only: 'true' })]);
    expect((await rowOf(id)).status).toBe(2);
  });
});

describe('token expiry', () => {
  const noon = Math.floor(later / 86_400) * 86_400;

  test('a token expires exactly at the given second', async () => {
    freezeAt(noon);
    const client = await app.as('user');
    const { id } = await client.call(tokenApi.create, {
      body: { name: 'brief', unlimited_quota: true, expired_time: noon + 60 },
    });
    for (const [second, status] of [
      [noon, 1],
      [noon + 59, 1],
      [noon + 60, 3],
      [noon + 61, 3],
      [noon + 59, 1],
    ] as const) {
      freezeAt(second);
      expect(await statusOf(client, id), String(second - noon)).toBe(status);
      expect(await client.call(tokenApi.counts)).toEqual({ [status]: 1 });
      expect((await client.page(tokenApi.list, { query: { status } })).total).toBe(1);
      expect((await client.page(tokenApi.search, { query: { status, keyword: 'brief' } })).total).toBe(1);
    }
    expect((await rowOf(id)).status).toBe(1);
  });

  test.each([1, noon - 1, noon])('rejects an expiry in the past (%i) on creation', async (expired_time) => {
    freezeAt(noon);
    const client = await app.as('user');
    const response = await client.send(tokenApi.create, { body: { name: 'late', expired_time } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(inThePast);
    expect((await client.page(tokenApi.list, { query: {} })).total).toBe(0);
  });

  test('accepts an expiry one second or a thousand years ahead', async () => {
    freezeAt(noon);
    const client = await app.as('user');
    for (const expired_time of [noon + 1, 100_000_000_000]) {
      const body = { name: 'ahead', expired_time, unlimited_quota: true };
      expect(await client.call(tokenApi.create, { body })).toMatchObject({ expired_time, status: 1 });
    }
  });

  test('rejects an expiry in the past on update unless it is unchanged', async () => {
    const { id, update } = await stored({ expired_time: 1000 });
    for (const expired_time of [0, 1, 999, 1001, nowInSeconds()]) {
      expect((await update({ expired_time, name: 'not kept' })).body).toEqual(inThePast);
    }
    const { body } = await update({ expired_time: 1000, name: 'kept' });
    expect(shown(body)).toMatchObject({ status: 3, name: 'kept', expired_time: 1000 });
    expect(await rowOf(id)).toMatchObject({ name: 'kept', expired_time: 1000 });
  });

  test('rejects an expiry in the past with an error message in Chinese', async () => {
    const client = await app.as('user');
    const headers = { 'accept-language': 'zh' };
    const { body } = await client.send(tokenApi.create, { body: { name: 'late', expired_time: 5 }, headers });
    expect(body).toEqual(rejected('过期时间不能早于当前时间'));
  });
});
