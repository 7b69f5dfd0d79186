import { accessLevels, type EndpointTable, userApi } from '@headgate/contract';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { KnownDevices } from '../accounts/sessions/known-devices.ts';
import { SessionRepository } from '../accounts/sessions/session-repository.ts';
import { SessionService } from '../accounts/sessions/session-service.ts';
import { SessionCookie } from '../accounts/sign-in/session-cookie.ts';
import { AccessTokenRepository } from '../accounts/users/access-token-repository.ts';
import { AccessTokenService } from '../accounts/users/access-token-service.ts';
import { UserRepository } from '../accounts/users/user-repository.ts';
import type { Database } from '../platform/db/database.ts';
import { SecretBox } from '../platform/secrets/secret-box.ts';
import { accessTokenFixture } from '../testing/accounts/access-token-fixture.ts';
import { useTestApp } from '../testing/test-app.ts';
import { serveTable } from './serve-table.ts';

const fruit = z.object({ id: z.int(), name: z.string() });

/** One endpoint of each kind that a table can contain, mounted next to the real ones. */
const fruitApi = {
  visitor: { method: 'GET', path: '/api/fruit/visitor', access: 'visitor', reply: z.string() },
  user: { method: 'GET', path: '/api/fruit/user', access: 'user', reply: z.string() },
  admin: { method: 'GET', path: '/api/fruit/admin', access: 'admin', reply: z.string() },
  root: { method: 'GET', path: '/api/fruit/root', access: 'root', reply: z.string() },
  list: {
    method: 'GET',
    path: '/api/fruit/',
    access: 'visitor',

    list: true,
    query: z.object({ p: z._default(z.coerce.number().check(z.int(), z.gte(0)), 0) }),
    reply: z.array(fruit),
  },
  get: {
    method: 'GET',
    path: '/api/fruit/:id',
    access: 'visitor',

    params: z.object({ id: z.coerce.number().check(z.int()) }),
    reply: fruit,
  },
  timed: {
    method: 'POST',
    path: '/api/fruit/timed',
    access: 'visitor',

    body: z.object({ withData: z.boolean() }),
    top: z.object({ time: z.number() }),
    reply: fruit,
  },
  wrong: { method: 'DELETE', path: '/api/fruit/wrong', access: 'visitor', reply: fruit },
} as const satisfies EndpointTable;

const apple = { id: 1, name: 'apple', secret: 'pips' };

function serveFruit(app: FastifyInstance, database: Database): void {
  const cookie = new SessionCookie(
    new SessionService(new SessionRepository(database)),
    new AccessTokenService(new UserRepository(database), new AccessTokenRepository(database)),
    new KnownDevices(new SecretBox('of this test')),
  );
  serveTable(app, cookie, fruitApi, {
    visitor: ({ caller }) => caller?.username ?? 'nobody',
    user: ({ caller }) => caller.username,
    admin: ({ caller }) => caller.username,
    root: ({ caller }) => caller.username,
    list: ({ query }) => ({ rows: query.p === 0 ? [apple] : [], total: 41 }),
    get: ({ params }) => ({ ...apple, id: params.id }),
    timed: ({ body }) => ({ time: 0.25, secret: 'pips', ...(body.withData && { data: apple }) }),
    wrong: () => ({ id: 1.5, name: 'half an apple' }),
  });
}

const app = await useTestApp({ extend: serveFruit });
const { holder } = accessTokenFixture(app);

describe('[S6.1 S6.2] endpoint access', () => {
  const statuses = {
    visitor: { visitor: 200, user: 401, admin: 401, root: 401 },
    user: { visitor: 200, user: 200, admin: 403, root: 403 },
    admin: { visitor: 200, user: 200, admin: 200, root: 403 },
    root: { visitor: 200, user: 200, admin: 200, root: 200 },
  } as const;

  test.each(accessLevels)('the caller %s reaches exactly the endpoints of their role', async (caller) => {
    const client = await app.as(caller);
    for (const needed of accessLevels) {
      expect((await client.send(fruitApi[needed])).status, needed).toBe(statuses[caller][needed]);
    }
  });

  test.each([
    { role: 0, admin: 403, root: 403 },
    { role: 9, admin: 403, root: 403 },
    { role: 11, admin: 200, root: 403 },
    { role: 99, admin: 200, root: 403 },
    { role: 101, admin: 200, root: 200 },
  ])('the uncommon role $role reaches exactly the endpoints that it may access', async ({ role, admin, root }) => {
    const { username, password } = await app.createUser({ role });
    const client = await app.signedIn(username, password);
    expect((await client.send(fruitApi.admin)).status).toBe(admin);
    expect((await client.send(fruitApi.root)).status).toBe(root);
  });

  test('a public endpoint identifies a signed-in caller', async () => {
    const { username, password } = await app.createUser();
    expect(await (await app.signedIn(username, password)).call(fruitApi.visitor)).toBe(username);
    expect(await app.client().call(fruitApi.visitor)).toBe('nobody');
  });

  test('[A52.9] a public endpoint does not identify a caller by a scoped access token', async () => {
    const { user, program } = await holder('read');
    expect(await program.call(fruitApi.visitor)).toBe('nobody');
    expect(await (await holder('all')).program.call(fruitApi.visitor)).not.toBe('nobody');
    expect((await app.client().send(fruitApi.user)).status).toBe(401);
    expect((await program.send(fruitApi.user)).status).toBe(403);
    expect(await program.call(userApi.self)).toMatchObject({ username: user.username });
  });

  test('the cookie is ignored with an Authorization header', async () => {
    const client = await app.as('root');
    expect((await client.send(fruitApi.user, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(401);
  });
});

describe('response envelope', () => {
  test('a list is a bare array with the total in a header', async () => {
    expect(await app.client().page(fruitApi.list, { query: {} })).toEqual({
      rows: [{ id: 1, name: 'apple' }],
      total: 41,
    });
    expect(await app.client().page(fruitApi.list, { query: { p: 1 } })).toEqual({ rows: [], total: 41 });
  });

  test('a response contains only fields in the endpoint’s schema', async () => {
    const { text } = await app.client().send(fruitApi.get, { params: { id: 7 } });
    expect(JSON.parse(text)).toEqual({ success: true, message: '', data: { id: 7, name: 'apple' } });
  });

  test('top-level fields are next to data, which is omitted when there is none', async () => {
    const withData = await app.client().send(fruitApi.timed, { body: { withData: true } });
    expect(withData.body).toEqual({ success: true, message: '', time: 0.25, data: { id: 1, name: 'apple' } });
    const without = await app.client().send(fruitApi.timed, { body: { withData: false } });
    expect(without.body).toEqual({ success: true, message: '', time: 0.25 });
  });

  test('data that violates the schema is never sent', async () => {
    const { status, text } = await app.client().send(fruitApi.wrong);
    expect(status).toBe(500);
    expect(text).not.toContain('apple');
  });
});

describe('invalid input is rejected with the field name', () => {
  test('rejects invalid query fields', async () => {
    const { status, body } = await app.client().send(fruitApi.list, { query: { p: -1 } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(/^Invalid parameter: p: /) });
  });

  test('rejects invalid path fields', async () => {
    const { status, body } = await app.client().send(fruitApi.get, { params: { id: 'x' } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(/^Invalid parameter: id: /) });
  });

  test('rejects invalid body fields', async () => {
    const { status, body } = await app.client().send(fruitApi.timed, { body: { withData: 'yes' } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(/^Invalid parameter: withData: /) });
  });

  test('rejects a missing body', async () => {
    expect((await app.client().send(fruitApi.timed)).status).toBe(400);
  });
});
