import { logType, tokenApi, userApi } from '@headgate/contract';
import { completion, plainPrice, type UpstreamHandler } from '@headgate/testkit';
import { type LogEvent, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { readLeases, requestNode, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

/** Points reserved for a request with at most 10 tokens on a low balance: (10 prompt tokens + 10 × 4) × 2.5. */
const held = 125;
const never = 1e9;
/** Everything that is idle in two consecutive checks is returned; nothing is evicted. */
const atOnce = { checkEveryMs: 3, returnAfterMs: 0, evictAfterMs: never };

const statusOf = async (pending: Promise<Response>) => {
  const response = await pending;
  await response.arrayBuffer();
  return response.status;
};

type Scene = Awaited<ReturnType<typeof relayFixture>>;

async function pointsOf({ books }: Scene, kind: 'user' | 'token') {
  const { user, token } = await books();
  return kind === 'user' ? user.quota : (token?.remain_quota ?? 0);
}

/** Sets the quota to this amount, as an admin or the token's owner would. */
async function fill(scene: Scene, kind: 'user' | 'token', points: number): Promise<void> {
  const missing = points - (await pointsOf(scene, kind));
  if (kind === 'token') {
    const { id, name } = scene.token;
    const body = { id, name, remain_quota: points };
    await scene.client.call(tokenApi.update, { query: {}, body });
  } else if (missing > 0) await scene.admin.call(userApi.topUp, { body: { user_id: scene.user.id, quota: missing } });
}

/** Parameters of the statements with which the first node requests a user's quota from other nodes. */
const leaseQueries: string[] = [];
const first = await useTestApp({
  idleTimes: atOnce,
  onStatement: ({ query }: LogEvent) => {
    const parameters = JSON.stringify(query.parameters);
    if (parameters.includes('wanted:user:')) leaseQueries.push(parameters);
  },
});
const second = await useTestApp({ beside: first, idleTimes: atOnce });
const nodes = [first, second, await useTestApp({ beside: first, idleTimes: atOnce })];

/** Each round has a different pattern of requests. With fewer rounds, a lease spent on two nodes may go unnoticed. */
const rounds = 6;

describe('unused points', () => {
  test('unused points are returned, are available on any node without a request to other nodes, and are leased again when needed', async () => {
    const scene = await relayFixture(first, { upstreams: [completion()], quota: 10_000 });
    let left = 10_000;
    for (const node of [...nodes, ...nodes]) {
      if (left === 10_000) await warmUpNode(node, scene);
      // Reserves the entire remaining balance, on any node.
      else expect(await statusOf(requestNode(node, scene, { max_tokens: Math.floor(left / 10) - 10 }))).toBe(200);
      left -= plainPrice;
      await expect.poll(() => readLeases(first, scene)).toEqual([]);
    }
    expect(leaseQueries.filter((parameters) => parameters.includes(`wanted:user:${scene.user.id}`))).toEqual([]);
    const { user, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([6 * plainPrice, 0]);
    await scene.close();
  });

  test('unused points of a limited token are also returned, down to the last point', async () => {
    const scene = await relayFixture(first, {
      upstreams: [completion()],
      token: { unlimited_quota: false, remain_quota: plainPrice + held },
    });
    for (const node of [first, second]) {
      expect(await statusOf(requestNode(node, scene))).toBe(200);
      await expect.poll(() => readLeases(first, scene)).toEqual([]);
    }
    expect((await scene.books()).token?.remain_quota).toBe(held - plainPrice);
    await scene.close();
  });

  test('unused points stay leased while a request is in flight or its charge is not stored', async () => {
    const opened = Promise.withResolvers<void>();
    const respond: UpstreamHandler = async (response, request) => {
      await opened.promise;
      await completion()(response, request);
    };
    const scene = await relayFixture(first, { upstreams: [respond], quota: held });
    const other = await relayFixture(first, { upstreams: [completion()] });
    const pending = statusOf(requestNode(first, scene));
    await expect.poll(() => scene.upstreams[0]?.received.length).toBe(1);
    // Waits for many checks, in which another user must have become idle.
    await warmUpNode(first, other);
    await expect.poll(() => readLeases(first, other)).toEqual([]);
    expect(await readLeases(first, scene)).toHaveLength(1);
    expect(await statusOf(requestNode(second, scene))).toBe(429);
    opened.resolve();
    expect(await pending).toBe(200);
    await expect.poll(() => readLeases(first, scene)).toEqual([]);
    await Promise.all([scene.close(), other.close()]);
  });

  test('unused points are returned later if their row is locked', async () => {
    const opened = Promise.withResolvers<void>();
    const respond: UpstreamHandler = async (response, request) => {
      await opened.promise;
      await completion()(response, request);
    };
    const scene = await relayFixture(first, { upstreams: [respond] });
    const other = await relayFixture(first, { upstreams: [completion()] });
    await first.database.transaction().execute(async (connection) => {
      // In flight until the row is locked, so that the lease is not returned earlier.
      const pending = statusOf(requestNode(first, scene));
      await expect.poll(() => scene.upstreams[0]?.received.length).toBe(1);
      await sql`select id from users where id = ${scene.user.id} for update`.execute(connection);
      opened.resolve();
      expect(await pending).toBe(200);
      await warmUpNode(first, other);
      await expect.poll(() => readLeases(first, other)).toEqual([]);
      expect(await readLeases(first, scene)).toHaveLength(1);
    });
    await expect.poll(() => readLeases(first, scene)).toEqual([]);
    await Promise.all([scene.close(), other.close()]);
  });
});

describe('[A43.1] three nodes that constantly return points', () => {
  test.each([
    ['a user', { quota: held * 10 }, 'user'],
    ['a limited token', { token: { unlimited_quota: false, remain_quota: held * 10 } }, 'token'],
  ] as const)(
    'three nodes admit ten requests with points of %s for ten, and spend every point once',
    async (_, options, kind) => {
      let gate = Promise.withResolvers<void>();
      const respond: UpstreamHandler = async (response, request) => {
        await gate.promise;
        await completion()(response, request);
      };
      const scene = await relayFixture(first, { upstreams: [respond], ...options });
      const sent = () => scene.upstreams[0]?.received.length ?? 0;
      let served = 0;
      for (let round = 0; round < rounds; round += 1) {
        gate = Promise.withResolvers<void>();
        const before = sent();
        await fill(scene, kind, held * 10);
        const points = await pointsOf(scene, kind);
        expect(points).toBe(held * 10);
        let rejected = 0;
        const pending = Array.from({ length: 30 }, async (__, index) => {
          // Some requests are sent together and some while the other nodes are idle, in a different pattern each round.
          await new Promise((resolve) => setTimeout(resolve, ((index * (round + 3)) % 11) * 4));
          const status = await statusOf(requestNode(nodes[(index * (round + 1)) % 3] ?? first, scene));
          if (status !== 200) rejected += 1;
          return status;
        });
        await expect.poll(() => sent() - before + rejected).toBe(30);
        expect((sent() - before) * held).toBeLessThanOrEqual(points);
        gate.resolve();
        served += (await Promise.all(pending)).filter((status) => status === 200).length;
      }
      const { user, logs, drift } = await scene.books();
      const charged = logs.filter(({ type }) => type === logType.consumption);
      expect(served).toBeGreaterThan(20);
      expect([charged.length, user.used_quota, drift]).toEqual([served, served * plainPrice, 0]);
      await scene.close();
    },
  );
});
