import { logType, role, tokenApi, userApi, userStatus } from '@headgate/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { DisplayInCurrencyEnabled: 'false' } });
const { logsOf, rowNamed, rowOf, signedInUser } = accountsOf(app);
const { client: admin } = await signedInUser({ username: 'boss', role: role.admin });
const root = await app.as('root');

afterEach(() => expectBalancedLedger(app.database));

const unknown = apiFailure('User not found');
const managed = (username: string, content: string) => ({ type: logType.management, content, quota: 0, username });

describe('deletion by an admin', () => {
  const everything = (label: string) => ({
    email: `${label}@example.com`,
    github_id: `github-${label}`,
    wechat_id: `wechat-${label}`,
    lark_id: `lark-${label}`,
    oidc_id: `oidc-${label}`,
    access_token_hash: `hash-${label}`,
    aff_code: `code-${label}`,
    quota: 30,
    used_quota: 4,
  });

  test('a deletion releases the name and the identities, ends all access and keeps the logs', async () => {
    const { user, client } = await signedInUser(everything('a'));
    await client.call(tokenApi.create, { body: { name: 'mine' } });
    await admin.call(userApi.topUp, { body: { user_id: user.id, quota: 1 } });
    const response = await admin.send(userApi.remove, { params: { id: user.id } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(apiSuccess);
    const row = await rowOf(user.id);
    expect(row).toMatchObject({
      status: userStatus.deleted,
      email: null,
      github_id: null,
      wechat_id: null,
      lark_id: null,
      oidc_id: null,
      access_token_hash: null,
      password_hash: null,
      quota: 31,
      credited: 35,
    });
    expect(row.username).toMatch(/^deleted_[0-9a-f]{32}$/);
    const rowsOf = (table: 'sessions' | 'tokens') =>
      app.database.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute();
    expect(await rowsOf('sessions')).toEqual([]);
    expect(await rowsOf('tokens')).toEqual([]);
    expect(await logsOf(user.id)).toEqual([
      { type: logType.topUp, content: 'boss added 1', quota: 1, username: user.username },
      managed(user.username, `boss deleted ${user.username}`),
    ]);
    const again = { ...everything('a'), username: user.username, aff_code: null };
    await app.createUser(again);
  });

  test('a deletion is rejected for an unknown user and for one already deleted', async () => {
    const user = await app.createUser();
    const remove = (id: number) => admin.send(userApi.remove, { params: { id } });
    expect((await remove(999_999)).body).toEqual(unknown);
    await remove(user.id);
    expect((await remove(user.id)).body).toEqual(unknown);
  });

  test('twenty concurrent deletions delete the user once', async () => {
    const user = await app.createUser();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => root.send(userApi.remove, { params: { id: user.id } })),
    );
    expect(responses.filter(({ body }) => (body as { success: boolean }).success)).toHaveLength(1);
    expect(await logsOf(user.id)).toHaveLength(1);
  });

  test('creating a user with the same name does not restore the deleted user', async () => {
    const { user } = await signedInUser({ username: 'phoenix' });
    await admin.send(userApi.remove, { params: { id: user.id } });
    await admin.call(userApi.create, { body: { username: 'phoenix', password: 'long enough' } });
    await expect(app.signedIn('phoenix', user.password)).rejects.toMatchObject({ status: 200 });
    expect((await rowNamed('phoenix'))?.id).not.toBe(user.id);
  });
});
