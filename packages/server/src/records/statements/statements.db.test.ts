import {
  logType,
  maxStatementCredits,
  planTag,
  redemptionApi,
  registrationApi,
  statementApi,
  userApi,
  userBulkApi,
} from '@headgate/contract';
import { expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { QuotaForNewUser: '40' } });
const admin = await app.as('admin');
const { signedInUser, rowNamed } = accountsOf(app);
const now = nowInSeconds();
const period = { start_timestamp: now - 86_400, end_timestamp: now + 3600 };

test('a statement lists the usage by model and the dated credits of one user', async () => {
  const { user, client } = await signedInUser({ quota: 100 });
  const row = { user_id: user.id, username: user.username, created_at: now, token_name: 't', channel: 1, cost: 3 };
  await writeLogs(app.database, [
    { ...row, type: logType.consumption, model_name: 'gpt-4o', quota: 30, prompt_tokens: 5, completion_tokens: 7 },
    { ...row, type: logType.consumption, model_name: 'o3', quota: 9, prompt_tokens: 1, completion_tokens: 1 },
    { ...row, type: logType.failure, model_name: 'o3', quota: 0 },
    { ...row, type: logType.consumption, model_name: 'o3', quota: 9, created_at: now - 90 * 86_400 },
    { ...row, type: logType.consumption, model_name: 'o3', quota: 9, user_id: user.id + 1000 },
  ]);
  await admin.call(userApi.topUp, { body: { user_id: user.id, quota: 25, remark: 'invoice 7' } });
  await admin.call(redemptionApi.create, { body: { name: 'code', quota: 5, count: 1 } });
  const chosen = { ids: [user.id] };
  const taken = { kind: 'quota' as const, amount: -10, reason: 'refund' };
  await admin.call(userBulkApi.run, { body: { chosen, change: taken } });
  await admin.call(userApi.update, { body: { id: user.id, quota: 200 } });
  await admin.call(userApi.manage, { body: { username: user.username, action: 'disable' } });
  await admin.call(userApi.manage, { body: { username: user.username, action: 'enable' } });
  const shown = await admin.call(statementApi.read, { params: { id: user.id }, query: period });
  expect(shown.models).toMatchObject([
    { model: 'gpt-4o', requests: 1, failures: 0, prompt_tokens: 5, completion_tokens: 7, quota: 30 },
    { model: 'o3', requests: 2, failures: 1, quota: 9 },
  ]);
  expect(shown.total).toMatchObject({ requests: 3, quota: 39 });
  expect(shown.credits.map(({ amount }) => amount)).toEqual([25, -10, 85]);
  expect(shown.credits[0]?.content).toContain('invoice 7');
  expect([shown.credited, shown.username]).toEqual([100, user.username]);
  expect(JSON.stringify(shown)).not.toContain('cost');
  expect(await (await app.signedIn(user.username, user.password)).call(statementApi.own, { query: period })).toEqual(
    shown,
  );
  expect((await client.send(statementApi.read, { params: { id: user.id }, query: period })).status).not.toBe(200);
});

test('closing and opening balances of consecutive periods match when a plan pays for some requests', async () => {
  const { user, client } = await signedInUser({ quota: 1000 });
  const hour = now - (now % 3600);
  const row = { user_id: user.id, username: user.username, token_name: 't', channel: 1, type: logType.consumption };
  const detail = JSON.stringify({ request_tags: { [planTag]: 'Pro' } });
  await writeLogs(app.database, [
    { ...row, model_name: 'a', quota: 300, created_at: hour - 7000 },
    { ...row, model_name: 'a', quota: 40, created_at: hour - 6000, detail },
    { ...row, model_name: 'b', quota: 5, created_at: hour },
  ]);
  const charges = { quota: 695, used_quota: 345, plan_quota: 40 };
  await app.database.updateTable('users').set(charges).where('id', '=', user.id).execute();
  await admin.call(userApi.topUp, { body: { user_id: user.id, quota: 25 } });
  const read = (start_timestamp: number, end_timestamp: number) =>
    client.call(statementApi.own, { query: { start_timestamp, end_timestamp } });
  const earlier = await read(hour - 7200, hour - 1);
  const later = await read(hour, hour + 7199);
  expect(earlier).toMatchObject({ opening: 1000, credited: 0, planned: 40, closing: 700 });
  expect(earlier.total.quota).toBe(340);
  expect(later).toMatchObject({ opening: 700, credited: 25, planned: 0, closing: 720 });
  expect((await rowNamed(user.username))?.quota).toBe(720);
});

test('omits the balances if logs without an amount or deleted logs could have changed them', async () => {
  const { user, client } = await signedInUser({ quota: 10 });
  const unknown = { opening: null, closing: null };
  await app.database.updateTable('users').set({ unlogged_quota: 3 }).where('id', '=', user.id).execute();
  expect(await client.call(statementApi.own, { query: period })).toMatchObject(unknown);
  const other = await signedInUser({ quota: 10 });
  expect(await other.client.call(statementApi.own, { query: period })).toMatchObject({ opening: 10, closing: 10 });
  await writeLogs(app.database, [{ user_id: other.user.id, type: logType.topUp, created_at: now, quota: 0 }]);
  expect(await other.client.call(statementApi.own, { query: period })).toMatchObject(unknown);
});

test('lists a gift as a credit with its amount', async () => {
  await app
    .client()
    .call(registrationApi.register, { query: {}, body: { username: 'gifted', password: 'long enough 1' } });
  const { id } = (await rowNamed('gifted')) ?? { id: 0 };
  const { credits } = await admin.call(statementApi.read, { params: { id }, query: period });
  expect(credits).toMatchObject([{ amount: 40 }]);
});

test('a period with more credits than a statement can list is rejected', async () => {
  const { user, client } = await signedInUser();
  const credit = { user_id: user.id, type: logType.topUp, created_at: now, quota: 1 };
  await writeLogs(app.database, Array<typeof credit>(maxStatementCredits).fill(credit));
  expect(await client.call(statementApi.own, { query: period })).toMatchObject({ credited: maxStatementCredits });
  await writeLogs(app.database, [credit]);
  await expect(client.call(statementApi.own, { query: period })).rejects.toThrow('Choose a shorter time range');
});

test.each([
  ['backwards', { start_timestamp: now, end_timestamp: now - 1 }],
  ['of two years', { start_timestamp: now - 2 * 365 * 86_400, end_timestamp: now }],
])('a period %s is rejected', async (_, query) => {
  expect((await admin.send(statementApi.own, { query })).status).toBe(400);
});
