import { registrationApi, role, sessionApi, tokenApi, userApi, userStatus } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({
  options: {
    QuotaForNewUser: '1000',
    QuotaForInvitee: '200',
    QuotaForInviter: '300',
    DisplayInCurrencyEnabled: 'false',
  },
});
const { logsOf, rowNamed, rowOf } = accountsOf(app);
const register = (body: object) => app.client().send(registrationApi.register, { body });
const system = (username: string, content: string) => ({ type: 4, content, quota: 0, username });

describe('[S7.10] registration', () => {
  test('[S3.28] creates a common user with welcome quota and a default token, without signing in', async () => {
    const client = app.client();
    const body = {
      username: ' newcomer ',
      password: 'long enough',
      password2: 'long enough',
      email: '',
      verification_code: '',
      aff_code: '',
    };
    const response = await client.send(registrationApi.register, { query: { turnstile: '' }, body });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(apiSuccess);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await client.send(userApi.self)).status).toBe(401);
    const row = await rowNamed('newcomer');
    expect(row).toMatchObject({
      display_name: 'newcomer',
      role: role.common,
      status: userStatus.enabled,
      quota: 1000,
      credited: 1000,
      used_quota: 0,
      group: 'default',
      inviter_id: 0,
      email: null,
      access_token_hash: null,
    });
    expect(row?.aff_code).toMatch(/^[0-9A-Za-z]{4,}$/);
    await client.call(sessionApi.login, { body: { username: 'newcomer', password: 'long enough' } });
    expect(await client.call(tokenApi.list, { query: {} })).toMatchObject([
      { name: 'default', unlimited_quota: true, expired_time: -1, status: 1 },
    ]);
    expect(await logsOf(row?.id ?? 0)).toEqual([
      system('newcomer', 'newcomer registered'),
      system('newcomer', 'New user gift: 1000'),
    ]);
    await expectBalancedLedger(app.database);
  });

  test('registration requires only a name and a password', async () => {
    expect((await register({ username: 'brief', password: 'long enough' })).body).toEqual(apiSuccess);
    const blank = { username: 'blank', password: 'long enough', email: null, verification_code: null, aff_code: null };
    expect((await register(blank)).body).toEqual(apiSuccess);
  });

  test('stores no unverified address', async () => {
    await register({ username: 'unproven', password: 'long enough', email: 'victim@example.com' });
    expect(await rowNamed('unproven')).toMatchObject({ email: null });
  });

  test('[A12.2] ignores all other fields of the request', async () => {
    const extras = {
      id: 12_345,
      role: 100,
      status: 2,
      quota: 1e9,
      credited: 1e9,
      used_quota: 1,
      group: 'svip',
      inviter_id: 1,
      display_name: 'Not asked',
      access_token_hash: 'x',
      github_id: 'x',
      created_time: 0,
    };
    expect((await register({ username: 'greedy', password: 'long enough', ...extras })).body).toEqual(apiSuccess);
    const row = await rowNamed('greedy');
    expect(row).toMatchObject({ role: 1, status: 1, quota: 1000, credited: 1000, used_quota: 0, group: 'default' });
    expect(row).toMatchObject({ inviter_id: 0, display_name: 'greedy', access_token_hash: null, github_id: null });
    expect(row?.id).not.toBe(12_345);
    expect(row?.created_time).toBeGreaterThan(0);
  });

  test.each([
    ['no name', { username: undefined }, /^Invalid parameter: username: /],
    ['an empty name', { username: '' }, /^Invalid parameter: username: /],
    ['a name of spaces', { username: '   ' }, /^Invalid parameter: username: /],
    ['a 13-character name', { username: 'x'.repeat(13) }, /^Invalid parameter: username: .*12/],
    ['a name that is a list', { username: ['refused'] }, /^Invalid parameter: username: /],
    ['no password', { password: undefined }, /^Invalid parameter: password: /],
    ['a 7-character password', { password: 'x'.repeat(7) }, /^Invalid parameter: password: .*8/],
    ['a 21-character password', { password: 'x'.repeat(21) }, /^Invalid parameter: password: .*20/],
    ['a password that is a number', { password: 123_456_789 }, /^Invalid parameter: password: /],
    ['an invite code that is a number', { aff_code: 5 }, /^Invalid parameter: aff_code: /],
    ['an invite code that is too long', { aff_code: 'x'.repeat(201) }, /^Invalid parameter: aff_code: /],
  ])('[S9.18] registration is rejected with %s', async (_, change, message) => {
    const response = await register({ username: 'refused', password: 'long enough', ...change });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(apiFailure(message));
    expect(await rowNamed('refused')).toBeUndefined();
  });

  test.each(['', '[]', '"x"', 'null', '{'])('registration is rejected with the body %j', async (rawBody) => {
    const headers = { 'content-type': 'application/json' };
    const response = await app.client().send(registrationApi.register, { rawBody, headers });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ success: false });
  });

  test('registration is rejected under a taken name, in both languages', async () => {
    const { username } = await app.createUser();
    const body = { username, password: 'long enough' };
    expect((await register(body)).body).toEqual(apiFailure('This username is taken'));
    const headers = { 'accept-language': 'zh-CN,zh;q=0.9' };
    const chinese = await app.client().send(registrationApi.register, { body, headers });
    expect(chinese.body).toEqual(apiFailure('该用户名已被占用'));
  });
});

describe('invite code', () => {
  test('an invite code rewards both users once', async () => {
    const inviter = await app.createUser({ aff_code: 'Inv1', quota: 50, used_quota: 7 });
    expect((await register({ username: 'invited', password: 'long enough', aff_code: ' Inv1 ' })).body).toEqual(
      apiSuccess,
    );
    const invited = await rowNamed('invited');
    expect(invited).toMatchObject({ inviter_id: inviter.id, quota: 1200, credited: 1200 });
    expect(await rowOf(inviter.id)).toMatchObject({ quota: 350, credited: 357 });
    expect(await logsOf(invited?.id ?? 0)).toEqual([
      system('invited', 'invited registered'),
      system('invited', 'New user gift: 1000'),
      system('invited', 'Reward for using an invite code: 200'),
    ]);
    expect(await logsOf(inviter.id)).toEqual([system(inviter.username, 'Reward for inviting invited: 300')]);
    await expectBalancedLedger(app.database);
  });

  test.each(['nobody', 'inv1', '%', "' or 1=1 --", 'Inv1Inv1'])(
    'ignores the unknown invite code %j',
    async (aff_code) => {
      const username = `code${aff_code.length}`;
      expect((await register({ username, password: 'long enough', aff_code })).body).toEqual(apiSuccess);
      expect(await rowNamed(username)).toMatchObject({ inviter_id: 0, quota: 1000 });
    },
  );

  test.each([
    ['banned', userStatus.disabled],
    ['deleted', userStatus.deleted],
  ])('an invite code of a %s user gives no reward', async (label, status) => {
    const inviter = await app.createUser({ aff_code: `code-${label}`, status });
    await register({ username: `by-${label}`, password: 'long enough', aff_code: `code-${label}` });
    expect(await rowNamed(`by-${label}`)).toMatchObject({ inviter_id: 0, quota: 1000, credited: 1000 });
    expect(await rowOf(inviter.id)).toMatchObject({ quota: 0, credited: 0 });
    expect(await logsOf(inviter.id)).toEqual([]);
  });

  test('[A8.1] an invite code gives no reward when the name is taken', async () => {
    const inviter = await app.createUser({ aff_code: 'Inv2' });
    await register({ username: inviter.username, password: 'long enough', aff_code: 'Inv2' });
    expect(await rowOf(inviter.id)).toMatchObject({ quota: 0, credited: 0 });
  });

  test("an invite code whose owner's quota would overflow does not block registration", async () => {
    const max = Number.MAX_SAFE_INTEGER;
    const inviter = await app.createUser({ aff_code: 'Rich', quota: max });
    expect((await register({ username: 'by-rich', password: 'long enough', aff_code: 'Rich' })).body).toEqual(
      apiSuccess,
    );
    expect(await rowNamed('by-rich')).toMatchObject({ inviter_id: inviter.id, quota: 1200 });
    expect(await rowOf(inviter.id)).toMatchObject({ quota: max, credited: max });
    expect(await logsOf(inviter.id)).toEqual([]);
  });
});

test('logs nothing when the rewards are zero', async () => {
  await using plain = await startTestApp();
  const inviter = await plain.createUser({ aff_code: 'Inv1' });
  const body = { username: 'plain', password: 'long enough', aff_code: 'Inv1' };
  await plain.client().call(registrationApi.register, { query: {}, body });
  const logs = await plain.database.selectFrom('logs').select(['user_id', 'content']).execute();
  expect(logs.map(({ content }) => content)).toEqual(['plain registered']);
  expect(logs.map(({ user_id }) => user_id)).not.toContain(inviter.id);
});
