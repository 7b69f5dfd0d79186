import { randomInt } from 'node:crypto';
import { logApi, sessionApi, userApi } from '@headgate/contract';
import pg from 'pg';
import { expect, test } from 'vitest';
import { pausingProxy } from '../testing/database/pausing-proxy.ts';
import { startTestApp } from '../testing/test-app.ts';

const words = 'The database is unreachable. Try again in 5 seconds';

test.each([
  ['rejects connections', 'cut'],
  ['does not respond', 'freeze'],
] as const)('[A1.7] while the database %s, the API returns 503 and recovers afterwards', async (_, lose) => {
  await using base = await startTestApp();
  await using proxy = await pausingProxy(base.location.databaseUrl ?? '');
  const location = { ...base.location, databaseUrl: proxy.url };
  await using app = await startTestApp({
    beside: { ...base, location },
    config: { databaseLimits: { statementMs: 2000, lockMs: 2000, idleMs: 2000 } },
  });
  const admin = await app.as('admin');
  proxy[lose]();
  const away = await admin.send(userApi.self);
  expect([away.status, away.body]).toEqual([503, { success: false, message: words }]);
  expect(away.headers.get('retry-after')).toBe('5');
  if (lose === 'cut') {
    const login = { body: { username: 'root', password: '123456' } };
    expect((await app.client().send(sessionApi.login, login)).status).toBe(503);
    expect((await admin.send(logApi.list, { query: {} })).status).toBe(503);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
    const reasons = ['the database does not respond', 'this node has lost contact with the other nodes'];
    await expect.poll(async () => (await fetch(`${app.url}/readyz`)).json()).toEqual({ status: 'not ready', reasons });
  }
  // A frozen connection is not closed either.
  proxy.cut();
  proxy.open();
  await expect.poll(async () => (await admin.send(userApi.self)).status).toBe(200);
});

test('[A70.2] the 503 response names the cause when the database password has changed', async () => {
  await using base = await startTestApp();
  const { databaseUrl = '' } = base.location;
  await using role = await databaseRole(databaseUrl);
  await using app = await startTestApp({ beside: { ...base, location: { ...base.location, databaseUrl: role.url } } });
  const admin = await app.as('admin');
  await role.lock();
  const message =
    "The database rejects the gateway's login. The operator must check DATABASE_URL. Try again in 30 seconds";
  await expect.poll(async () => (await admin.send(userApi.self)).body).toEqual({ success: false, message });
  const { status, headers } = await admin.send(userApi.self);
  expect([status, headers.get('retry-after')]).toEqual([503, '30']);
  const chat = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer sk-${'x'.repeat(48)}` } });
  expect(chat.status).toBe(503);
  await expect
    .poll(async () => (await fetch(`${app.url}/readyz`)).json())
    .toMatchObject({
      reasons: expect.arrayContaining(["the database rejects this node's login: check DATABASE_URL"]) as unknown,
    });
  await role.unlock();
  await expect.poll(async () => (await admin.send(userApi.self)).status).toBe(200);
});

/** A superuser whose login is rejected (SQLSTATE 28000) while it is locked. */
async function databaseRole(databaseUrl: string) {
  const name = `locked_${randomInt(2 ** 40)}`;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`create role ${name} login superuser`);
  const url = new URL(databaseUrl);
  url.username = name;
  const endSessions = () =>
    client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = $1', [name]);
  return {
    url: url.href,
    lock: async () => {
      await client.query(`alter role ${name} nologin`);
      await endSessions();
    },
    unlock: () => client.query(`alter role ${name} login`),
    [Symbol.asyncDispose]: async () => {
      await endSessions();
      await client.query(`drop role ${name}`);
      await client.end();
    },
  };
}
