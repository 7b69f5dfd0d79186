import { redemptionApi, role, tokenApi, userApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { rowOf, signedInUser } = accountsOf(app);
const { client: admin } = await signedInUser({ role: role.admin });
const respond = completion();
const scene = await relayFixture(app, { upstreams: [respond], quota: 100_000 });
afterAll(() => scene.close());
afterEach(() => expectBalancedLedger(app.database));

const spend = async () => {
  const response = await scene.chat();
  expect(response.status).toBe(200);
  await response.text();
};
const userRead = () => admin.call(userApi.get, { params: { id: scene.user.id } });
const update = async (body: object) =>
  (await admin.send(userApi.update, { body: { id: scene.user.id, ...body } })).body;

describe('quota updates with a previous value', () => {
  test('[A7.3] saving the name keeps a balance that has changed since', async () => {
    const loaded = await userRead();
    await spend();
    const code = await admin.call(redemptionApi.create, { body: { name: 'gift', quota: 500, count: 1 } });
    await scene.client.call(userApi.redeem, { body: { key: code[0] ?? '' } });
    expect(await update({ display_name: 'New name' })).toEqual(apiSuccess);
    const now = await userRead();
    const spent = now.used_quota - loaded.used_quota;
    expect(spent).toBeGreaterThan(0);
    expect(now).toMatchObject({ display_name: 'New name', quota: loaded.quota - spent + 500 });
  });

  test('[A7.4] the error contains the current quota, and nothing is saved', async () => {
    const loaded = await userRead();
    await spend();
    const { quota: now } = await userRead();
    expect(now).toBeLessThan(loaded.quota);
    const wanted = { quota: loaded.quota + 1000, quota_was: loaded.quota };
    expect(await update({ ...wanted, display_name: 'Not kept' })).toEqual(
      apiFailure(`The quota has changed from ${loaded.quota} to ${now} since you opened this. Nothing was saved`),
    );
    expect(await userRead()).toMatchObject({ quota: now, display_name: loaded.display_name });
    expect(await update({ ...wanted, quota_was: now })).toEqual(apiSuccess);
    expect(await userRead()).toMatchObject({ quota: wanted.quota });
  });

  test('a complete update without quota_was overwrites the quota', async () => {
    const { username, display_name, group } = await userRead();
    await spend();
    expect(await update({ username, display_name, group, password: '', quota: 70_000 })).toEqual(apiSuccess);
    expect(await userRead()).toMatchObject({ quota: 70_000 });
  });

  test('requests are checked against the new quota, not a cached one', async () => {
    expect(await update({ quota: 0, quota_was: (await userRead()).quota })).toEqual(apiSuccess);
    expect((await scene.chat()).status).toBe(402);
    expect(await update({ quota: 90_000, quota_was: 0 })).toEqual(apiSuccess);
    await spend();
    const { quota } = await userRead();
    expect(quota).toBeLessThan(90_000);
    expect(quota).toBeGreaterThan(89_000);
  });

  test('a negative quota can be edited', async () => {
    const { id } = await app.createUser({ quota: -5, used_quota: 10 });
    expect((await admin.send(userApi.update, { body: { id, quota: 9, quota_was: -5 } })).body).toEqual(apiSuccess);
    expect(await rowOf(id)).toMatchObject({ quota: 9, credited: 19 });
  });

  test('[A7.4] one of twenty concurrent forms with the same previous value is saved', async () => {
    const { id } = await app.createUser({ quota: 100 });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        admin.send(userApi.update, { body: { id, quota: 1000 + index, quota_was: 100 } }),
      ),
    );
    expect(responses.filter(({ body }) => (body as { success: boolean }).success)).toHaveLength(1);
  });

  test.each([1.5, '100', null, {}])('rejects the previous value %j', async (quota_was) => {
    const { id } = await app.createUser({ quota: 100 });
    expect((await admin.send(userApi.update, { body: { id, quota: 5, quota_was } })).status).toBe(400);
  });
});

describe('token quota updates with a previous value', async () => {
  const limited = await relayFixture(app, {
    upstreams: [respond],
    token: { unlimited_quota: false, remain_quota: 50_000 },
  });
  afterAll(() => limited.close());
  const read = () => limited.client.call(tokenApi.get, { params: { id: limited.token.id } });
  const change = async (body: object) =>
    (await limited.client.send(tokenApi.update, { query: {}, body: { id: limited.token.id, ...body } })).body;

  test('[A7.3 A7.4] saving the name keeps the remaining quota, and a quota with an outdated previous value is rejected', async () => {
    const loaded = await read();
    await (await limited.chat()).text();
    expect(await change({ name: 'renamed' })).toMatchObject({ success: true });
    const { name, remain_quota: now } = await read();
    expect(name).toBe('renamed');
    expect(now).toBeLessThan(loaded.remain_quota);
    const wanted = { remain_quota: 60_000, remain_quota_was: loaded.remain_quota, name: 'not kept' };
    expect(await change(wanted)).toEqual(apiFailure(new RegExp(`^The quota has changed from \\d+ to ${now} since`)));
    expect(await read()).toMatchObject({ name: 'renamed', remain_quota: now });
    expect(await change({ ...wanted, remain_quota_was: now })).toMatchObject({ data: { remain_quota: 60_000 } });
  });
});
