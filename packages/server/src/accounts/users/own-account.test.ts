import { logType, role, tokenApi, userApi, userStatus } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { logsOf, rowOf, signedInUser } = accountsOf(app);

describe('[S7.31] [S1.12] deleting one’s own account', () => {
  test('deleting one’s own account releases the name, ends all sessions and tokens, and clears the cookie', async () => {
    const { user, client } = await signedInUser({ email: 'own@example.com', quota: 5 });
    await client.call(tokenApi.create, { body: { name: 'mine' } });
    const other = await app.signedIn(user.username, user.password);
    const response = await client.send(userApi.removeSelf);
    expect(response.body).toEqual(apiSuccess);
    expect(client.cookies.get('headgate_session')).toBeUndefined();
    expect((await other.send(userApi.self)).status).toBe(401);
    const row = await rowOf(user.id);
    expect(row).toMatchObject({ status: userStatus.deleted, email: null, password_hash: null, quota: 5 });
    expect(row.username).toMatch(/^deleted_[0-9a-f]{32}$/);
    expect(await logsOf(user.id)).toEqual([
      {
        type: logType.management,
        content: `${user.username} deleted their own account`,
        quota: 0,
        username: user.username,
      },
    ]);
    expect(await app.database.selectFrom('tokens').select('id').where('user_id', '=', user.id).execute()).toEqual([]);
    await app.createUser({ username: user.username, email: 'own@example.com' });
    await expectBalancedLedger(app.database);
  });

  test('deleting one’s own account is rejected for root, in both languages', async () => {
    const { user, client } = await signedInUser({ role: role.root });
    const response = await client.send(userApi.removeSelf);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(apiFailure('The super admin account cannot be deleted'));
    const chinese = await client.send(userApi.removeSelf, { headers: { 'accept-language': 'zh' } });
    expect(chinese.body).toEqual(apiFailure('不能删除超级管理员账户'));
    expect((await rowOf(user.id)).status).toBe(userStatus.enabled);
    expect((await client.send(userApi.self)).status).toBe(200);
  });
});

describe('[S7.30] [S1.11] invite code', () => {
  test('an invite code is created on first use and then stays the same', async () => {
    const { user, client } = await signedInUser();
    const code = await client.call(userApi.inviteCode);
    expect(code).toMatch(/^[0-9A-Za-z]{4,}$/);
    expect(await client.call(userApi.inviteCode)).toBe(code);
    expect((await rowOf(user.id)).aff_code).toBe(code);
    expect(await client.call(userApi.self)).toMatchObject({ aff_code: code });
  });

  test('returns the stored invite code if present', async () => {
    const { client } = await signedInUser({ aff_code: 'Abcd' });
    expect(await client.call(userApi.inviteCode)).toBe('Abcd');
  });

  test('twenty concurrent first requests return the same invite code', async () => {
    const { client } = await signedInUser();
    const codes = await Promise.all(Array.from({ length: 20 }, () => client.call(userApi.inviteCode)));
    expect(new Set(codes).size).toBe(1);
  });

  test('an invite code belongs to one user only', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => signedInUser()));
    const codes = await Promise.all(people.map(({ client }) => client.call(userApi.inviteCode)));
    expect(new Set(codes).size).toBe(30);
  });
});
