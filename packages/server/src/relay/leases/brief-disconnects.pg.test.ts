import { completion, plainPrice, type UpstreamHandler } from '@headgate/testkit';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { nodeLockClass } from '../../platform/db/node-lock.ts';
import { pausingProxy } from '../../testing/database/pausing-proxy.ts';
import { readLeases, requestNode, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { type TestApp, useTestApp } from '../../testing/test-app.ts';

/** Points reserved for a request with at most 10 tokens: (10 prompt tokens + 10 × 4) × 2.5. */
const held = 125;
const requests = 10;

const endLockOf = ({ database }: TestApp, node: number) =>
  sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = ${nodeLockClass}
    and objid = ${node} and database = (select oid from pg_database where datname = current_database())`.execute(
    database,
  );

const near = await useTestApp();
const proxy = await pausingProxy(near.location.databaseUrl ?? '');
afterAll(() => proxy[Symbol.asyncDispose]());
const far = await useTestApp({ beside: { ...near, location: { ...near.location, databaseUrl: proxy.url } } });

describe('[A1.8] a node that briefly disconnects with requests in flight', () => {
  test.each(['its lock alone', 'the database'] as const)(
    'keeps its reservations when it loses %s, and nothing is spent twice',
    async (lost) => {
      const opened = Promise.withResolvers<void>();
      const respond: UpstreamHandler = async (response, request) => {
        if (requestCount() > 1) await opened.promise;
        await completion()(response, request);
      };
      const scene = await relayFixture(near, { upstreams: [respond], quota: requests * held + plainPrice });
      const requestCount = () => scene.upstreams[0]?.received.length ?? 0;
      await warmUpNode(far, scene);
      const running = Array.from({ length: requests }, () => requestNode(far, scene));
      await expect.poll(requestCount).toBe(requests + 1);
      const leases = () => readLeases(near, scene);
      const [lease] = await leases();
      if (lost === 'the database') proxy.cut();
      else await endLockOf(near, lease?.node ?? 0);
      const elsewhere = Array.from({ length: requests }, () => requestNode(near, scene));
      // The other node requests points and finds the first node's lock free.
      await expect.poll(async () => (await leases()).length).toBe(2);
      proxy.open();
      await expect.poll(async () => (await leases()).some(({ node }) => node === lease?.node)).toBe(false);
      const rejected = await Promise.all(elsewhere.map(async (response) => (await response).status));
      expect(rejected.filter((status) => status === 200)).toEqual([]);
      opened.resolve();
      const served = await Promise.all(running.map(async (response) => (await response).status));
      expect(served).toEqual(running.map(() => 200));
      const { user, drift } = await scene.books();
      expect([user.used_quota, drift]).toEqual([(requests + 1) * plainPrice, 0]);
      expect(user.quota).toBeGreaterThanOrEqual(0);
      await scene.close();
    },
  );
});
