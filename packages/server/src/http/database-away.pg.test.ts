import { logApi, sessionApi, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { pausingProxy } from '../testing/pausing-proxy.ts';
import { startTestApp } from '../testing/test-app.ts';

const words = 'The database cannot be reached at the moment. Try again in 5 seconds';

test.each([
  ['refuses connections', 'cut'],
  ['has fallen silent', 'freeze'],
] as const)('[A1.7] while the database %s the API says so, with 503, and works again afterwards', async (_, lose) => {
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
    const reasons = ['the database does not answer', 'this node is out of touch with the others'];
    await expect.poll(async () => (await fetch(`${app.url}/readyz`)).json()).toEqual({ status: 'not ready', reasons });
  }
  // What fell silent says no farewell either.
  proxy.cut();
  proxy.open();
  await expect.poll(async () => (await admin.send(userApi.self)).status).toBe(200);
});
