import { logType, role, userApi, userStatus } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { DisplayInCurrencyEnabled: 'false' } });
const { logsOf, rowOf, signedInUser } = accountsOf(app);
const { client: admin } = await signedInUser({ username: 'boss', role: role.admin });

afterEach(() => expectBalancedLedger(app.database));

const unknown = apiFailure('User not found');
const managed = (username: string, content: string) => ({ type: logType.management, content, quota: 0, username });
const update = (client: ApiClient, body: object) => client.send(userApi.update, { body });

describe('[S7.26] single user', () => {
  test('shows a user to a higher role', async () => {
    const user = await app.createUser({ display_name: 'Shown', quota: 7 });
    const response = await admin.send(userApi.get, { params: { id: user.id } });
    expect(response.body).toMatchObject({ success: true, data: { id: user.id, display_name: 'Shown', quota: 7 } });
    expect(response.text).not.toMatch(/hash|argon2|credited/);
  });

  test('returns "not found" for an unknown or deleted user', async () => {
    const { id } = await app.createUser({ status: userStatus.deleted });
    for (const absent of [id, 999_999, Number.MAX_SAFE_INTEGER]) {
      const response = await admin.send(userApi.get, { params: { id: absent } });
      expect(response.status).toBe(200);
      expect(response.body).toEqual(unknown);
    }
  });

  test.each(['0', '-1', '1.5', 'x', '1e400', '%20', "1' or '1'='1"])('rejects the id %s', async (id) => {
    expect((await admin.send(userApi.get, { params: { id } })).status).toBe(400);
  });
});

describe('[S7.27] update by an admin', () => {
  test('an update changes all fields together, keeps the ledger balanced and is logged', async () => {
    const user = await app.createUser({ display_name: 'Old', quota: 500, used_quota: 200 });
    const change = { username: 'renamed', display_name: 'New', group: 'vip, svip,vip', quota: 800 };
    const response = await update(admin, { id: user.id, ...change, password: 'a new secret' });
    expect(response.body).toEqual(apiSuccess);
    expect(await rowOf(user.id)).toMatchObject({
      username: 'renamed',
      display_name: 'New',
      group: 'vip,svip',
      quota: 800,
      credited: 1000,
      used_quota: 200,
    });
    await app.signedIn('renamed', 'a new secret');
    expect(await logsOf(user.id)).toEqual([
      managed(user.username, `boss renamed ${user.username} to renamed`),
      managed(user.username, `boss changed the display name of ${user.username} from Old to New`),
      managed(user.username, `boss changed the group of ${user.username} from default to vip,svip`),
      managed(user.username, `boss changed the quota of ${user.username} from 500 to 800`),
      managed(user.username, `boss set the password of ${user.username}`),
    ]);
    const logs = await app.database.selectFrom('logs').selectAll().where('user_id', '=', user.id).execute();
    expect(JSON.stringify(logs)).not.toMatch(/a new secret|argon2/);
  });

  test('keeps fields that are missing, blank or unchanged, and logs nothing for them', async () => {
    const user = await app.createUser({ display_name: 'Stays', group: 'vip', quota: 5 });
    const before = await rowOf(user.id);
    const same = { username: user.username, display_name: 'Stays', group: 'vip', quota: 5 };
    for (const change of [{}, { username: '', display_name: '', password: '' }, same]) {
      expect((await update(admin, { id: user.id, ...change })).body).toEqual(apiSuccess);
    }
    expect(await rowOf(user.id)).toEqual(before);
    expect(await logsOf(user.id)).toEqual([]);
  });

  test('an update can remove all quota and groups', async () => {
    const user = await app.createUser({ quota: 500, used_quota: 20, group: 'vip' });
    expect((await update(admin, { id: user.id, quota: 0, group: '' })).body).toEqual(apiSuccess);
    expect(await rowOf(user.id)).toMatchObject({ quota: 0, credited: 20, group: 'default' });
  });

  test('an update can reset a negative quota', async () => {
    const user = await app.createUser({ quota: -50, used_quota: 70 });
    expect((await update(admin, { id: user.id, quota: 100 })).body).toEqual(apiSuccess);
    expect(await rowOf(user.id)).toMatchObject({ quota: 100, credited: 170 });
  });

  test('ignores all other fields of the request', async () => {
    const user = await app.createUser();
    const before = await rowOf(user.id);
    const extras = {
      role: 100,
      status: 2,
      used_quota: 9,
      credited: 9,
      request_count: 9,
      email: 'a@example.com',
      github_id: 'a',
      access_token: 'x',
      access_token_hash: 'x',
      password_hash: 'x',
      aff_code: 'mine',
      inviter_id: 1,
      created_time: 0,
    };
    expect((await update(admin, { id: user.id, display_name: 'Only this', ...extras })).body).toEqual(apiSuccess);
    expect(await rowOf(user.id)).toEqual({ ...before, display_name: 'Only this' });
  });

  test.each([
    ['no id', { id: undefined }, /id: /],
    ['the id 0', { id: 0 }, /id: /],
    ['a string as the id', { id: '3' }, /id: /],
    ['a fractional quota', { quota: 1.5 }, /quota: /],
    ['a negative quota', { quota: -1 }, /quota: /],
    ['too much quota', { quota: 1e15 + 1 }, /quota: /],
    ['a string as the quota', { quota: '5' }, /quota: /],
    ['a null quota', { quota: null }, /quota: /],
    ['a 13-character name', { username: 'x'.repeat(13) }, /username: .*12/],
    ['a 21-character display name', { display_name: 'x'.repeat(21) }, /display_name: .*20/],
    ['a 7-character password', { password: 'x'.repeat(7) }, /password: .*8/],
    ['a 501-character group', { group: 'x'.repeat(501) }, /group: /],
    ['a group that is a list', { group: ['vip'] }, /group: /],
  ])('[A7.1] an update is rejected with %s, and nothing changes', async (_, change, message) => {
    const user = await app.createUser();
    const before = await rowOf(user.id);
    const response = await update(admin, { id: user.id, display_name: 'Not kept', ...change });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(apiFailure(message));
    expect(await rowOf(user.id)).toEqual(before);
  });

  test('rejects the whole update when the name is taken', async () => {
    const other = await app.createUser();
    const user = await app.createUser({ quota: 5 });
    const before = await rowOf(user.id);
    const body = { id: user.id, username: other.username, quota: 9, password: 'a new secret' };
    expect((await update(admin, body)).body).toEqual(apiFailure('This username is taken'));
    expect(await rowOf(user.id)).toEqual(before);
    expect(await logsOf(user.id)).toEqual([]);
  });

  test('rejects an update of an unknown or deleted user', async () => {
    const { id } = await app.createUser({ status: userStatus.deleted });
    for (const absent of [id, 999_999]) {
      expect((await update(admin, { id: absent, display_name: 'x' })).body).toEqual(unknown);
    }
  });

  test('twenty concurrent quota updates keep the last value and a balanced ledger', async () => {
    const user = await app.createUser({ quota: 100, used_quota: 3 });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => update(admin, { id: user.id, quota: 1000 + index })),
    );
    expect(responses.map(({ body }) => body)).toEqual(Array(20).fill(apiSuccess));
    const row = await rowOf(user.id);
    expect(row.credited).toBe(row.quota + 3);
    const chain = (await logsOf(user.id)).map(({ content }) => /from (\d+) to (\d+)/.exec(content)?.slice(1));
    expect(chain.map((pair) => pair?.[0])).toEqual(['100', ...chain.slice(0, -1).map((pair) => pair?.[1])]);
  });
});
