import { ledgerApi } from '@headgate/contract';
import { completion, plainPrice, type UpstreamHandler } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { pausingProxy } from '../../testing/database/pausing-proxy.ts';
import { expectServedWithUnresponsiveNode } from '../../testing/database/silent-lock-holder.ts';
import { requestNode, statusOf, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const balanced = { drift: 0, log_drift: 0, offenders: [] };
/** Points reserved for a request with at most 10 tokens on a low balance: (10 prompt tokens + 10 × 4) × 2.5. */
const held = 125;
const requests = 10;

test('[A9.9] a node frozen during a transaction that locks a user does not block another node from serving that user', () =>
  expectServedWithUnresponsiveNode('frozen'));

test('[A1.9] a node disconnected beyond its lease expiry overspends by at most its in-flight requests while another node spends the leased quota', async () => {
  await using near = await startTestApp();
  await using proxy = await pausingProxy(near.location.databaseUrl ?? '');
  const location = { ...near.location, databaseUrl: proxy.url };
  await using far = await startTestApp({ beside: { ...near, location } });
  const opened = Promise.withResolvers<void>();
  const respond: UpstreamHandler = async (response, request) => {
    const isFar = requestCount() > 1 && requestCount() <= requests + 1;
    if (isFar) await opened.promise;
    await completion()(response, request);
  };
  const scene = await relayFixture(near, { upstreams: [respond], quota: requests * held + plainPrice });
  const requestCount = () => scene.upstreams[0]?.received.length ?? 0;
  await warmUpNode(far, scene);
  const running = Array.from({ length: requests }, () => statusOf(requestNode(far, scene)));
  await expect.poll(requestCount).toBe(requests + 1);
  proxy.cut();
  // Other nodes reclaim the leases only after they expire.
  await expect.poll(() => statusOf(requestNode(near, scene))).toBe(200);
  const elsewhere = await Promise.all(Array.from({ length: 2 * requests }, () => statusOf(requestNode(near, scene))));
  const spentElsewhere = 1 + elsewhere.filter((status) => status === 200).length;
  expect(elsewhere.filter((status) => ![200, 402, 429, 503].includes(status))).toEqual([]);
  expect(spentElsewhere).toBeGreaterThan(1);
  // A disconnected node starts no new requests.
  const rejected = await requestNode(far, scene);
  expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect(requestCount()).toBe(requests + 1 + spentElsewhere);
  opened.resolve();
  proxy.open();
  expect(await Promise.all(running)).toEqual(running.map(() => 200));
  const { user, logs, drift } = await scene.books();
  const served = 1 + requests + spentElsewhere;
  expect(logs.filter(({ type }) => type === 2)).toHaveLength(served);
  expect([user.used_quota, drift]).toEqual([served * plainPrice, 0]);
  expect(user.quota).toBeGreaterThanOrEqual(-requests * plainPrice);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
  await scene.close();
});
