import { describe, expect, test } from 'vitest';
import { startTestApp, useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();

describe('while all is well', () => {
  test.each([
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ready' }],
  ])('%s says so', async (path, body) => {
    const answer = await app.client().request('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(body);
  });
});

describe('when the database is gone', () => {
  test('the process is alive and not ready', async () => {
    await using broken = await startTestApp();
    await broken.database.destroy();
    const ready = await broken.client().request('GET', '/readyz');
    expect(ready.status).toBe(503);
    expect(ready.body).toEqual({ status: 'not ready' });
    expect((await broken.client().request('GET', '/healthz')).status).toBe(200);
  });
});
