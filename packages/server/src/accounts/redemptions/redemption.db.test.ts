import { type Redemption, redemptionApi, userApi } from '@headgate/contract';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser, logsOf } = accountsOf(app);
const { user: someAdmin, client: admin } = await signedInUser({ role: 10 });

const update = (body: object, query = {}) => admin.send(redemptionApi.update, { body, query });
const codes = () => app.database.selectFrom('redemptions').selectAll().orderBy('id').execute();
const rowOf = async (id: number) => (await codes()).find((row) => row.id === id);

async function newCode(body: object = {}): Promise<Redemption> {
  await admin.call(redemptionApi.create, { body: { name: 'code', quota: 100, ...body } });
  const [code] = await admin.call(redemptionApi.list, { query: { size: 1 } });
  if (!code) throw new Error('no code was made');
  return code;
}

async function usedCode(): Promise<Redemption> {
  const { id, key } = await newCode();
  await admin.call(userApi.redeem, { body: { key } });
  return admin.call(redemptionApi.get, { params: { id } });
}

const lastLog = async () => (await logsOf(someAdmin.id)).at(-1);
const rejected = (message: string | RegExp) => ({
  success: false,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
});

describe('[S7.57] updating a code', () => {
  test('an update changes the given fields and logs old and new values', async () => {
    const { id } = await newCode();
    for (const [change, words] of [
      [{ name: ' other ' }, 'name code → other'],
      [{ quota: 500_000 }, 'quota $0.000200 → $1.000000'],
      [{ status: 2 }, 'status 1 → 2'],
      [{ name: 'both', quota: 1_000_000, status: 1 }, 'name other → both, quota $1.000000 → $2.000000, status 2 → 1'],
    ] as const) {
      const before = await rowOf(id);
      const { body } = await update({ id, ...change });
      const name = 'name' in change ? change.name.trim() : before?.name;
      expect(await rowOf(id)).toEqual({ ...before, ...change, name });
      expect(body).toEqual({
        success: true,
        message: '',
        data: await admin.call(redemptionApi.get, { params: { id } }),
      });
      expect((await lastLog())?.content).toBe(`${someAdmin.username} changed code ${id}: ${words}`);
    }
  });

  test('an update that changes nothing writes and logs nothing', async () => {
    const code = await newCode();
    const before = [await rowOf(code.id), await logsOf(someAdmin.id)];
    for (const body of [{ id: code.id }, code, { ...code, user_id: 1, key: 'x', redeemed_time: 5, created_time: 1 }]) {
      expect((await update(body)).body).toEqual({ success: true, message: '', data: code });
    }
    expect([await rowOf(code.id), await logsOf(someAdmin.id)]).toEqual(before);
  });

  test.each<[object, string]>([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(21) }, 'name'],
    [{ quota: 0 }, 'quota'],
    [{ quota: -1 }, 'quota'],
    [{ quota: 1.5 }, 'quota'],
    [{ status: 0 }, 'status'],
    [{ status: 3 }, 'status'],
    [{ status: 4 }, 'status'],
    [{ status: '1' }, 'status'],
    [{ status: null }, 'status'],
    [{ id: 0 }, 'id'],
    [{ id: '1' }, 'id'],
  ])('rejects the update %j', async (bad, field) => {
    const { id } = await newCode();
    const before = await codes();
    const response = await update({ id, ...bad });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(rejected(new RegExp(`^Invalid parameter: ${field}`)));
    expect(await codes()).toEqual(before);
  });
});

describe('[S7.58] status_only', () => {
  test('disables and enables a code and changes nothing else', async () => {
    const { id } = await newCode();
    const before = await rowOf(id);
    for (const [status_only, status] of [
      ['true', 2],
      ['1', 1],
      ['yes', 2],
      ['true', 2],
    ] as const) {
      await update({ id, status, name: 'not kept', quota: 5 }, { status_only });
      expect(await rowOf(id)).toEqual({ ...before, status });
    }
    await update({ id, status: 1, name: 'kept' }, { status_only: 'false' });
    expect(await rowOf(id)).toMatchObject({ status: 1, name: 'kept' });
  });

  test.each([undefined, 3])('rejects status %j', async (status) => {
    const { id } = await newCode();
    const response = await update({ id, status }, { status_only: 'true' });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(rejected('Invalid parameter: status'));
    expect(await rowOf(id)).toMatchObject({ status: 1 });
  });
});

describe('[A2.2] used code', () => {
  test.each<[object, object]>([
    [{ status: 1 }, { status_only: 'true' }],
    [{ status: 2 }, { status_only: 'true' }],
    [{ status: 3 }, { status_only: 'true' }],
    [{ status: 1 }, {}],
    [{ status: 3 }, {}],
    [{ name: 'other' }, {}],
    [{ quota: 5 }, {}],
    [{ name: 'other', quota: 5, status: 1 }, {}],
  ])('a used code cannot be changed to %j (%j)', async (change, query) => {
    const { id, key } = await usedCode();
    const before = await rowOf(id);
    const response = await update({ id, ...change }, query);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(rejected('A used redemption code cannot be changed'));
    expect(await rowOf(id)).toEqual(before);
    expect((await admin.send(userApi.redeem, { body: { key } })).body).toMatchObject({ success: false });
  });

  // SQLite serializes transactions anyway.
  if (inject('database') === 'postgres')
    test('a used code is not changed by an update that arrives during its redemption', async () => {
      const { id } = await newCode();
      const waiting = async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.database);
        return rows.length;
      };
      const change = await app.database.transaction().execute(async (redeeming) => {
        await redeeming
          .updateTable('redemptions')
          .set({ status: 3, redeemed_user_id: 7 })
          .where('id', '=', id)
          .execute();
        const response = update({ id, status: 1, quota: 5 });
        await expect.poll(waiting).toBe(1);
        return { response };
      });
      expect((await change.response).body).toEqual(rejected('A used redemption code cannot be changed'));
      expect(await rowOf(id)).toMatchObject({ status: 3, quota: 100, redeemed_user_id: 7 });
    });

  test('rejects a change to a used code in Chinese', async () => {
    const { id } = await usedCode();
    const headers = { 'accept-language': 'zh' };
    const { body } = await admin.send(redemptionApi.update, { query: {}, body: { id, name: 'x' }, headers });
    expect(body).toEqual(rejected('该兑换码已被使用，无法修改'));
  });

  test('deletes a used code', async () => {
    const { id } = await usedCode();
    await admin.call(redemptionApi.remove, { params: { id } });
    expect(await rowOf(id)).toBeUndefined();
  });
});

test('[S7.55] [S7.59] a deleted code is not found, and the log names who deleted it', async () => {
  const { id } = await newCode();
  const kept = await newCode();
  const { body } = await admin.send(redemptionApi.remove, { params: { id } });
  expect(body).toEqual({ success: true, message: '' });
  expect((await lastLog())?.content).toBe(`${someAdmin.username} deleted code ${id}`);
  const logs = await logsOf(someAdmin.id);
  for (const endpoint of [redemptionApi.get, redemptionApi.remove]) {
    const response = await admin.send(endpoint, { params: { id } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(rejected('Not found'));
  }
  expect((await update({ id, name: 'x' })).body).toEqual(rejected('Not found'));
  expect(await rowOf(kept.id)).toBeDefined();
  expect(await logsOf(someAdmin.id)).toEqual(logs);
});

test("[S1.14] [A14.1] any admin can list, read, change and delete other admins' codes; common users cannot", async () => {
  const { id, key } = await newCode();
  const { client: other } = await signedInUser({ role: 10 });
  const seen = { id, key, user_id: someAdmin.id };
  expect(await other.call(redemptionApi.get, { params: { id } })).toMatchObject(seen);
  expect(await other.call(redemptionApi.list, { query: { size: 1 } })).toMatchObject([seen]);
  expect(await other.call(redemptionApi.search, { query: { keyword: String(id) } })).toMatchObject([seen]);
  await other.call(redemptionApi.update, { query: {}, body: { id, name: 'by another' } });
  expect(await rowOf(id)).toMatchObject({ name: 'by another', user_id: someAdmin.id });
  await other.call(redemptionApi.create, { body: { name: 'theirs', quota: 5 } });
  const [theirs] = await admin.call(redemptionApi.list, { query: { size: 1 } });
  await admin.call(redemptionApi.remove, { params: { id: theirs?.id ?? 0 } });
  expect(await rowOf(theirs?.id ?? 0)).toBeUndefined();
  const common = await app.as('user');
  for (const [endpoint, input] of [
    [redemptionApi.get, { params: { id } }],
    [redemptionApi.list, {}],
    [redemptionApi.search, { query: { keyword: String(id) } }],
    [redemptionApi.create, { body: { name: 'mine', quota: 5 } }],
    [redemptionApi.update, { body: { id, quota: 5 } }],
    [redemptionApi.remove, { params: { id } }],
  ] as const) {
    const response = await common.send(endpoint, input);
    expect(response.status).toBe(403);
    expect(response.text).not.toContain(key);
  }
  expect(await rowOf(id)).toMatchObject({ name: 'by another', quota: 100 });
});
