import {
  apiTables,
  type Endpoint,
  fillPath,
  oauthApi,
  role,
  secondFactorApi,
  sessionApi,
  userApi,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { newProviderUser, useLoginProviderFixture } from '../../testing/relay/login-provider-fixture.ts';

const { app, come, visit } = await useLoginProviderFixture();
const { signedInUser, rowOf } = accountsOf(app);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

const needed = apiFailure('You logged in a while ago; please confirm your identity or log in again');
const notByToken = apiFailure('This is not possible with an access token; log in instead');

/**
 * Expected proof of every endpoint that changes sign-in methods or reveals confidential content. Maintained by hand;
 * passwords are covered below, because only some bodies contain one.
 */
const decisions: Readonly<Record<string, Endpoint['proof']>> = {
  'DELETE /api/user/self': 'recent',
  'GET /api/user/token': 'recent',
  'POST /api/user/access_token': 'recent',
  'DELETE /api/user/access_token/:id': 'session',
  'GET /api/oauth/wechat/bind': 'recent',
  'GET /api/oauth/email/bind': 'recent',
  'DELETE /api/oauth/:binding': 'recent',
  'DELETE /api/oauth/sso/self/:id': 'recent',
  'PUT /api/user/sign_in_elsewhere': 'recent',
  'POST /api/user/second_factor/begin': 'recent',
  'POST /api/user/second_factor/confirm': 'session',
  'POST /api/user/second_factor/backup_codes': 'session',
  'POST /api/user/second_factor/remove': 'session',
  'POST /api/user/passkey/begin': 'recent',
  'POST /api/user/passkey': 'session',
  'DELETE /api/user/passkey/:passkey': 'recent',
  'POST /api/user/session/proof': 'session',
  'POST /api/body/self/read': 'recent',
  'POST /api/body/read': 'recent',
  'POST /api/referral/self/payout': 'recent',
  'PUT /api/organization/:id/sso': 'recent',
  'POST /api/organization/:id/jwt_issuers': 'recent',
  'PUT /api/organization/:id/jwt_issuers': 'recent',
  'DELETE /api/organization/:id/jwt_issuers/:jwt_issuer': 'session',
  'POST /api/organization/:id/sso/providers': 'recent',
  'PUT /api/organization/:id/sso/providers': 'recent',
  'DELETE /api/organization/:id/sso/providers/:sso_provider': 'session',
  'POST /api/organization/:id/sso/domains': 'recent',
  'POST /api/organization/:id/sso/domains/:sso_domain/verify': 'recent',
  'POST /api/organization/:id/sso/domains/:sso_domain/confirm': 'recent',
  'DELETE /api/organization/:id/sso/domains/:sso_domain': 'session',
  'POST /api/organization/:id/scim/tokens': 'recent',
  'DELETE /api/organization/:id/scim/tokens/:scim_token': 'session',
  'PUT /api/organization/:id/scim/groups': 'recent',
};

const rows: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));
const proving = rows
  .filter(({ proof }) => proof !== undefined)
  .map((row) => [`${row.method} ${row.path}`, row] as const);

/** Calls the endpoint with a path, query and body that pass validation. */
const send = (client: ApiClient, row: Endpoint) =>
  client.send({ ...row, path: fillPath(row.path, { binding: 'email', passkey: 'x' }) as never }, {
    query: { email: 'a@example.com', code: 'x' },
    ...(row.body && { body: { code: 'x', proof: 'x', ticket: 'x', response: {}, name: 'x', isAllowed: true } }),
  } as never);

const programOf = async (client: ApiClient) => {
  const program = app.client();
  program.headers['authorization'] = await client.call(userApi.makeAccessToken);
  return program;
};

const setPassword = async (client: ApiClient, password = 'another one') =>
  (await client.send(userApi.updateSelf, { body: { password } })).body;

test('every endpoint that requires a proof is listed in this file, and every entry is an endpoint', () => {
  expect(Object.fromEntries(proving.map(([name, { proof }]) => [name, proof]))).toEqual(decisions);
});

describe.each(proving)('%s', (_, row) => {
  test('[A13.4] rejects an access token, even together with its owner’s cookie', async () => {
    const { user, client } = await signedInUser({ role: role.root });
    const before = await rowOf(user.id);
    const program = await programOf(client);
    const withCookie = await app.signedIn(user.username, user.password);
    Object.assign(withCookie.headers, program.headers);
    for (const caller of [program, withCookie]) {
      const response = await send(caller, row);
      expect(response.status).toBe(403);
      expect(response.body).toEqual(notByToken);
    }
    expect(await rowOf(user.id)).toEqual({ ...before, access_token_hash: expect.any(String) });
  });

  if (row.proof === 'recent')
    test('[A13.3] rejects a session without a recent sign-in', async () => {
      const { user, client } = await signedInUser({ role: role.root });
      const before = await rowOf(user.id);
      pass(601);
      expect((await send(client, row)).body).toEqual(needed);
      expect(await rowOf(user.id)).toEqual(before);
      await client.call(sessionApi.prove, { body: { proof: user.password } });
      expect((await send(client, row)).body).not.toEqual(needed);
    });
});

describe('[A13.2] password change', () => {
  test('a password change is accepted soon after the login, and later only with the current password', async () => {
    const { user, client } = await signedInUser();
    pass(590);
    expect(await setPassword(client)).toEqual(apiSuccess);
    pass(11);
    const { password_hash } = await rowOf(user.id);
    expect(await setPassword(client, 'a third one')).toEqual(needed);
    expect((await client.send(sessionApi.prove, { body: { proof: user.password } })).body).toMatchObject({
      success: false,
    });
    expect(await setPassword(client, 'a third one')).toEqual(needed);
    expect((await rowOf(user.id)).password_hash).toBe(password_hash);
    await client.call(sessionApi.prove, { body: { proof: 'another one' } });
    expect(await setPassword(client, 'a third one')).toEqual(apiSuccess);
    await app.signedIn(user.username, 'a third one');
  });

  test('saves no other field when the password is rejected, and ignores an empty password', async () => {
    const { user, client } = await signedInUser();
    pass(601);
    const body = { display_name: 'Stranger', password: 'another one' };
    expect((await client.send(userApi.updateSelf, { body })).body).toEqual(needed);
    expect((await rowOf(user.id)).display_name).toBe('');
    expect((await client.send(userApi.updateSelf, { body: { ...body, password: '' } })).body).toEqual(apiSuccess);
  });

  test('[A13.4] a password change with an access token is rejected, including root’s own user by id', async () => {
    const { user, client } = await signedInUser({ role: role.root });
    const program = await programOf(client);
    const { password_hash } = await rowOf(user.id);
    expect(await setPassword(program)).toEqual(notByToken);
    const body = { id: user.id, password: 'another one' };
    expect((await program.send(userApi.update, { body })).body).toEqual(notByToken);
    pass(601);
    expect((await client.send(userApi.update, { body })).body).toEqual(needed);
    expect((await rowOf(user.id)).password_hash).toBe(password_hash);
    expect((await program.send(userApi.update, { body: { id: user.id, display_name: 'Owner' } })).body).toEqual(
      apiSuccess,
    );
  });
});

describe('[A13.3] binding a provider account', () => {
  test('binding succeeds after a recent sign-in, even if the redirect takes several minutes', async () => {
    const { user, client } = await signedInUser();
    pass(590);
    const query = await visit(client, 'github', newProviderUser());
    pass(60);
    expect((await client.send(oauthApi.github, { query })).body).toMatchObject({ message: 'bind' });
    expect((await rowOf(user.id)).github_id).not.toBeNull();
  });

  test('binding fails without a recent sign-in, and with an access token', async () => {
    const { user, client } = await signedInUser();
    const program = await programOf(client);
    const byToken = await come(program, 'github', newProviderUser());
    expect(byToken.body).toEqual(needed);
    pass(601);
    expect((await come(client, 'github', newProviderUser())).body).toEqual(needed);
    expect((await rowOf(user.id)).github_id).toBeNull();
    await client.call(sessionApi.prove, { body: { proof: user.password } });
    expect((await come(client, 'github', newProviderUser())).body).toMatchObject({ message: 'bind' });
  });

  test('signing in with an already bound account counts as a new login, even for accounts without a password', async () => {
    const person = newProviderUser();
    const client = app.client();
    await come(client, 'github', person);
    pass(601);
    expect(await client.call(sessionApi.proof)).toEqual({ isNeeded: true, by: 'login' });
    const { id } = await client.call(userApi.self);
    expect((await come(client, 'github', person)).body).toMatchObject({ data: { id } });
    expect(await client.call(sessionApi.proof)).toMatchObject({ isNeeded: false });
    expect(await setPassword(client)).toEqual(apiSuccess);
  });
});

test('all endpoints accept a session right after the login', async () => {
  const { client } = await signedInUser();
  await client.call(secondFactorApi.begin);
  expect(await client.call(userApi.makeAccessToken)).toMatch(/^[0-9a-f]{64}$/);
  expect(await setPassword(client)).toEqual(apiSuccess);
  expect((await client.send(userApi.removeSelf)).body).toEqual(apiSuccess);
});
