import { optionApi } from '@headgate/contract';
import { completion, plainPrice, reply } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { relayFixture } from '../testing/relay/relay-fixture.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();

describe('charging', () => {
  test('[A1.1] 100 concurrent requests cannot overdraw a balance that covers ten, and all totals match', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()], quota: 10 * 600 });
    // Each request reserves (prompt + 50 × 4) × 2.5, a little over 500. Requests that arrive while the rest is reserved
    // get a retryable error.
    const responses = await Promise.all(Array.from({ length: 100 }, () => scene.chat({ max_tokens: 50 })));
    const statuses = responses.map(({ status }) => status);
    const served = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => ![200, 402, 429].includes(status))).toEqual([]);
    expect(served).toBeGreaterThan(9);
    const { user, logs, drift } = await scene.books();
    expect(logs.filter(({ type }) => type === 2)).toHaveLength(served);
    expect(user.used_quota).toBe(served * plainPrice);
    expect(user.quota).toBeGreaterThanOrEqual(0);
    expect(drift).toBe(0);
    await scene.close();
  });

  test('enforces the token quota and does not charge rejected requests', async () => {
    const scene = await relayFixture(app, {
      upstreams: [completion()],
      token: { unlimited_quota: false, remain_quota: 100 },
    });
    const response = await scene.chat({ max_tokens: 50 });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({
      error: { code: 'insufficient_token_quota', type: 'headgate_error' },
    });
    expect((await scene.books()).user.used_quota).toBe(0);
    expect(scene.upstreams[0]?.received).toEqual([]);
    await scene.close();
  });

  test('[A28.1] charges once for the channel that responds after three failures, and logs the attempts', async () => {
    await (await app.as('admin')).call(optionApi.update, { body: { key: 'RetryTimes', value: '3' } });
    const failing = reply({ error: { message: 'overloaded' } }, 500);
    const scene = await relayFixture(app, { upstreams: [failing, reply({}, 429), reply('<html>', 503), completion()] });
    expect((await scene.chat()).status).toBe(200);
    const { user, logs } = await scene.books();
    expect(user.used_quota).toBe(plainPrice);
    expect(logs).toHaveLength(1);
    const { attempts } = JSON.parse(logs[0]?.detail ?? '') as { attempts: { status: number }[] };
    expect(attempts.map(({ status }) => status)).toEqual([500, 429, 503]);
    expect(scene.upstreams.map(({ received }) => received.length)).toEqual([1, 1, 1, 1]);
    await scene.close();
  });

  test('[A28.1] returns an error without a charge or reservation if all channels are down', async () => {
    const scene = await relayFixture(app, { upstreams: [reply({ error: { message: 'down' } }, 500)] });
    const [upstream] = scene.upstreams;
    await upstream?.close();
    const response = await scene.chat();
    expect(response.status).toBe(502);
    const { user, logs } = await scene.books();
    expect(user).toMatchObject({ quota: 1_000_000, used_quota: 0 });
    expect(logs).toMatchObject([{ type: 5, quota: 0 }]);
    await expect.poll(async () => (await scene.chat()).status).toBe(502);
  });
});
