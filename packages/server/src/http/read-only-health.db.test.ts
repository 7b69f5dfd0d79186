import { expect, test } from 'vitest';
import { readOnlyDatabase } from '../testing/database/read-only-database.ts';
import { startTestApp } from '../testing/test-app.ts';

test('the process is alive but not ready while the database is read-only', async () => {
  await using app = await startTestApp();
  const get = (path: string) => app.client().request('GET', path);
  const status = async () => (await get('/readyz')).status;
  {
    await using _readOnly = await readOnlyDatabase(app);
    await expect.poll(status).toBe(503);
    expect((await get('/readyz')).body).toEqual({ status: 'not ready', reasons: ['the database is read-only'] });
    expect((await get('/healthz')).status).toBe(200);
  }
  await expect.poll(status).toBe(200);
});
