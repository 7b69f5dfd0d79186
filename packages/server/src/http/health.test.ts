import { completion } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { Shutdown } from '../platform/runtime/shutdown.ts';
import { blockCharges } from '../testing/database/block-charges.ts';
import { relayFixture } from '../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp, useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();

describe('health checks while everything works', () => {
  test.each([
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ready' }],
  ])('%s reports success', async (path, body) => {
    const response = await app.client().request('GET', path);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(body);
  });
});

describe('health checks during an outage', () => {
  const notReady = async (app: TestApp, reasons: readonly string[]) => {
    const ready = await app.client().request('GET', '/readyz');
    expect([ready.status, ready.body]).toEqual([503, { status: 'not ready', reasons }]);
    expect((await app.client().request('GET', '/healthz')).status).toBe(200);
  };

  test('/readyz returns 503 with the reason when the database is unreachable', async () => {
    await using broken = await startTestApp();
    await broken.database.destroy();
    await notReady(broken, ['the database does not respond']);
  });

  test('/readyz returns 503 with the reason when a charge has waited for seconds', async () => {
    await using app = await startTestApp();
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const charging = await blockCharges(app);
    const pending = scene.chat().then((response) => response.text());
    const ready = () => app.client().request('GET', '/readyz');
    await expect
      .poll(async () => (await ready()).body)
      .toEqual({
        status: 'not ready',
        reasons: [expect.stringMatching(/^a charge has been waiting for \d+ seconds to be stored$/)],
      });
    expect((await app.client().request('GET', '/healthz')).status).toBe(200);
    await charging[Symbol.asyncDispose]();
    await pending;
    expect((await ready()).status).toBe(200);
    await scene.close();
  });

  test('/readyz returns 503 with the reason during shutdown', async () => {
    const shutdown = new Shutdown();
    await using app = await startTestApp({ shutdown });
    shutdown.begin();
    await notReady(app, ['the server is shutting down']);
  });
});
