import { logType, role, tokenApi, userApi, userStatus } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { QuotaForNewUser: '1000', DisplayInCurrencyEnabled: 'false' } });
const { logsOf, rowNamed, signedInUser } = accountsOf(app);
const { client: admin } = await signedInUser({ username: 'boss', role: role.admin });

afterEach(() => expectBalancedLedger(app.database));

const create = (client: ApiClient, body: object) => client.send(userApi.create, { body });

describe('[S7.28] user created by an admin', () => {
  test('[S1.15] a created user is a common user with welcome quota, invite code and default token', async () => {
    const response = await create(admin, { username: 'fresh', display_name: 'Fresh One', password: 'long enough' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(apiSuccess);
    const row = await rowNamed('fresh');
    expect(row).toMatchObject({
      display_name: 'Fresh One',
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
    const client = await app.signedIn('fresh', 'long enough');
    expect(await client.call(tokenApi.list, { query: {} })).toMatchObject([
      { name: 'default', unlimited_quota: true, expired_time: -1, status: 1 },
    ]);
    expect(await logsOf(row?.id ?? 0)).toEqual([
      { type: logType.management, content: 'boss created user fresh', quota: 0, username: 'fresh' },
      { type: logType.system, content: 'New user gift: 1000', quota: 0, username: 'fresh' },
    ]);
  });

  test('uses the username as display name when none is given', async () => {
    for (const [username, name] of [
      ['nameless1', {}],
      ['nameless2', { display_name: '' }],
      ['nameless3', { display_name: '  ' }],
    ] as const) {
      expect((await create(admin, { username, password: 'long enough', ...name })).body).toEqual(apiSuccess);
      expect(await rowNamed(username)).toMatchObject({ display_name: username });
    }
  });

  test('ignores all other fields of the request', async () => {
    const extras = {
      id: 12_345,
      role: 100,
      status: 2,
      quota: 1e9,
      used_quota: 5,
      credited: 1e9,
      group: 'svip',
      email: 'a@example.com',
      inviter_id: 1,
      aff_code: 'mine',
      access_token: 'x',
      __proto__: { role: 100 },
    };
    const body = JSON.stringify({ username: 'modest', password: 'long enough', ...extras }).replace(
      /}$/,
      ',"__proto__":{"role":100},"constructor":{"prototype":{"role":100}}}',
    );
    const headers = { 'content-type': 'application/json' };
    const response = await admin.request('POST', '/api/user/', { rawBody: body, headers });
    // Fastify rejects a body that could pollute the prototype.
    expect(response.status).toBe(400);
    expect(await rowNamed('modest')).toBeUndefined();
    expect((await create(admin, { username: 'modest', password: 'long enough', ...extras })).body).toEqual(apiSuccess);
    const row = await rowNamed('modest');
    expect(row).toMatchObject({ role: 1, status: 1, quota: 1000, credited: 1000, used_quota: 0, group: 'default' });
    expect(row).toMatchObject({ email: null, inviter_id: 0, access_token_hash: null });
    expect(row?.id).not.toBe(12_345);
    expect(row?.aff_code).not.toBe('mine');
  });

  test.each([
    ['no name', { password: 'long enough' }, /^Invalid parameter: username: /],
    ['an empty name', { username: '', password: 'long enough' }, /^Invalid parameter: username: /],
    ['a name of spaces', { username: '  ', password: 'long enough' }, /^Invalid parameter: username: /],
    [
      'a 13-character name',
      { username: 'x'.repeat(13), password: 'long enough' },
      /^Invalid parameter: username: .*12/,
    ],
    ['a number as the name', { username: 7, password: 'long enough' }, /^Invalid parameter: username: /],
    ['no password', { username: 'bad' }, /^Invalid parameter: password: /],
    ['a short password', { username: 'bad', password: 'seven77' }, /^Invalid parameter: password: .*8/],
    ['a long password', { username: 'bad', password: 'x'.repeat(21) }, /^Invalid parameter: password: .*20/],
    [
      'a long display name',
      { username: 'bad', password: 'long enough', display_name: 'x'.repeat(21) },
      /^Invalid parameter: display_name: .*20/,
    ],
    ['a null character', { username: 'b\0d', password: 'long enough' }, /^Invalid parameter: /],
  ])('rejects a user with %s', async (_, body, message) => {
    const response = await create(admin, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(apiFailure(message));
    expect(await rowNamed('bad')).toBeUndefined();
  });

  test('accepts any name of valid length', async () => {
    for (const username of ['名字🙂', "a'; drop--", '<b>x</b>']) {
      expect((await create(admin, { username, password: 'long enough' })).body).toEqual(apiSuccess);
      expect(await rowNamed(username)).toBeDefined();
    }
  });

  test('rejects a taken name and stores nothing', async () => {
    const { username } = await app.createUser();
    const tokens = await app.database.selectFrom('tokens').select('id').execute();
    const logs = await app.database.selectFrom('logs').select('id').execute();
    const response = await create(admin, { username, password: 'long enough' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(apiFailure('This username is taken'));
    expect(await app.database.selectFrom('tokens').select('id').execute()).toEqual(tokens);
    expect(await app.database.selectFrom('logs').select('id').execute()).toEqual(logs);
  });
});
