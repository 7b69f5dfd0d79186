import { describe, expect, test } from 'vitest';
import { type AdmittedRequest, LimitCluster, type LimitNode } from '../../testing/relay/limit-cluster.ts';
import { seededRandom } from '../../testing/relay/random-requests.ts';
import { sample } from '../../testing/sample.ts';
import { maxUnannouncedUse } from './limit-exchange.ts';

const minute = 60_000;
const requests = '1r0';
const tokens = '1t0';
const inFlight = '1u0';
const seeds = sample(
  Array.from({ length: 40 }, (_, index) => 7919 * (index + 1)),
  8,
);

async function worldOf(nodes: number): Promise<LimitCluster> {
  const world = new LimitCluster();
  for (let index = 0; index < nodes; index += 1) world.join();
  await world.pass(1);
  await world.deliverAll();
  return world;
}

const oneOf = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)] as T;

/** Advances time in small and large steps; each node receives updates with a delay. */
async function disturb(world: LimitCluster, random: () => number, longest = 20_000): Promise<void> {
  const chance = random();
  if (chance < 0.5) await world.pass(random() * 200);
  else if (chance < 0.55) await world.pass(random() * longest);
  const node = oneOf(world.nodes, random);
  for (let count = Math.floor(random() * 6); count > 0; count -= 1) node.deliverOne();
}

const mostOf = (limit: number, nodes: number) => limit + (nodes - 1) * maxUnannouncedUse(limit);

describe('[A38.6] nodes that share a limit', () => {
  test.each(seeds)(
    'nodes admit at most the limit plus a twentieth per further node for any delivery order (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const nodes = 1 + Math.floor(random() * 4);
      const limit = oneOf([1, 2, 7, 60, 500], random);
      const world = await worldOf(nodes);
      for (let step = 0; step < 400; step += 1) {
        await disturb(world, random);
        const pending = Array.from({ length: Math.floor(random() * (limit / 4 + 2)) }, () =>
          oneOf(world.nodes, random).ask(requests, 1, limit),
        );
        void Promise.all(pending);
        expect(world.total(minute)).toBeLessThanOrEqual(mostOf(limit, nodes));
      }
    },
  );

  test.each(seeds)(
    'nodes admit at most the limit plus a twentieth per further node when token reservations are corrected (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const nodes = 2 + Math.floor(random() * 3);
      const limit = 10_000;
      const world = await worldOf(nodes);
      const running: AdmittedRequest[] = [];
      for (let step = 0; step < 400; step += 1) {
        await disturb(world, random);
        const amount = 1 + Math.floor(random() * 3000);
        void oneOf(world.nodes, random)
          .ask(tokens, amount, limit)
          .then((letIn) => letIn && running.push(letIn));
        if (random() < 0.3 && running.length > 0) {
          const [ended] = running.splice(Math.floor(random() * running.length), 1) as [AdmittedRequest];
          ended.node.correct(tokens, ended, Math.floor(random() * (ended.amount + 1)));
        }
        expect(world.total(minute)).toBeLessThanOrEqual(mostOf(limit, nodes));
      }
    },
  );

  test.each(seeds)(
    'nodes admit at most the limit plus a twentieth per further node while nodes disconnect, return and join (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const limit = oneOf([20, 100], random);
      const world = await worldOf(3);
      for (let step = 0; step < 300; step += 1) {
        await disturb(world, random, 1000);
        // Connected nodes respond within seconds.
        if (step % 4 === 0) await world.deliverAll();
        comeAndGo(world, random);
        sendSome(world, random, { key: requests, most: 10, limit });
        expect(world.total(minute)).toBeLessThanOrEqual(mostOf(limit, world.nodes.length));
      }
    },
  );

  test.each(seeds)(
    'nodes admit at most the limit plus a twentieth per further node of in-flight requests (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const limit = oneOf([1, 4, 40], random);
      const world = await worldOf(3);
      for (let step = 0; step < 300; step += 1) {
        // This holds as long as all updates arrive in time.
        await disturb(world, random, 1000);
        if (step % 10 === 0) await world.deliverAll();
        sendSome(world, random, { key: inFlight, most: 4, limit });
        const running = world.letIn.filter(({ amount }) => amount > 0);
        for (const one of running) if (random() < 0.1) one.node.correct(inFlight, one, 0);
        expect(world.letIn.filter(({ amount }) => amount > 0).length).toBeLessThanOrEqual(mostOf(limit, 3));
      }
    },
  );
});

interface Asking {
  readonly key: typeof requests | typeof inFlight;
  readonly most: number;
  readonly limit: number;
}

function sendSome(world: LimitCluster, random: () => number, { key, most, limit }: Asking): void {
  for (let more = random() * most; more > 0; more -= 1) void oneOf(world.nodes, random).ask(key, 1, limit);
}

/** One node always stays up, because otherwise no node could report past usage. */
function comeAndGo(world: LimitCluster, random: () => number): void {
  const node = oneOf(world.nodes, random);
  if (node.isDown && random() < 0.2) node.return();
  else if (node !== world.nodes[0] && random() < 0.03) node.isDown = true;
  if (random() < 0.005 && world.nodes.length < 6) world.join();
}

/** Sends requests constantly with quick delivery. Returns the number of admitted requests. */
async function hammer(world: LimitCluster, nodes: readonly LimitNode[], ms: number, limit: number): Promise<number> {
  const before = world.letIn.length;
  const end = world.now + ms;
  for (let turn = 0; world.now < end; turn += 1) {
    void nodes[turn % nodes.length]?.ask(requests, 1, limit);
    await world.pass(20);
    await world.deliverAll();
  }
  return world.letIn.length - before;
}

describe('usable share of a limit', () => {
  test.each([1, 10, 60, 600])(
    'at least 95 % of %i requests per minute can be used on one of three nodes',
    async (limit) => {
      const world = await worldOf(3);
      const minutes = 4;
      const letIn = await hammer(world, world.nodes.slice(0, 1), minutes * 61_000, limit);
      expect(letIn).toBeGreaterThanOrEqual(0.95 * limit * minutes);
    },
  );

  test.each([1, 60, 600])('at least 95 % of %i requests per minute can be used on all three nodes', async (limit) => {
    const world = await worldOf(3);
    const letIn = await hammer(world, world.nodes, 4 * 61_000, limit);
    expect(letIn).toBeGreaterThanOrEqual(0.95 * limit * 4);
  });

  test('at least 95 % of a limit can be used by a thousand concurrent requests', async () => {
    const world = await worldOf(3);
    const pending = Array.from({ length: 1000 }, () => world.nodes[1]?.ask(requests, 1, 60));
    await world.pass(1);
    await world.deliverAll();
    expect((await Promise.all(pending)).filter((letIn) => letIn !== undefined)).toHaveLength(60);
  });
});

describe('a disconnected node', () => {
  test('admits a twentieth of the limit, and the full limit once it is connected again', async () => {
    const world = await worldOf(3);
    const [, cut] = world.nodes as [LimitNode, LimitNode, LimitNode];
    cut.isDown = true;
    expect(await hammer(world, [cut], 30_000, 100)).toBe(5);
    cut.return();
    await world.pass(10);
    await world.deliverAll();
    expect(await hammer(world, [cut], 30_000, 100)).toBe(95);
  });

  test('receives the usage of the other nodes when it is connected again', async () => {
    const world = await worldOf(3);
    const [near, cut] = world.nodes as [LimitNode, LimitNode, LimitNode];
    cut.isDown = true;
    expect(await hammer(world, [near], 20_000, 100)).toBe(100);
    cut.return();
    await world.pass(10);
    await world.deliverAll();
    expect(await hammer(world, [cut], 20_000, 100)).toBe(0);
  });

  test('a new node receives all usage from before it joined, including usage of stopped nodes', async () => {
    const world = await worldOf(2);
    const [near, gone] = world.nodes as [LimitNode, LimitNode];
    await hammer(world, [near, gone], 20_000, 100);
    gone.isDown = true;
    const late = world.join();
    await world.pass(10);
    await world.deliverAll();
    expect(await hammer(world, [late], 20_000, 100)).toBe(0);
  });

  test('an unresponsive node is no longer counted as having requests in flight', async () => {
    const world = await worldOf(2);
    const [near, gone] = world.nodes as [LimitNode, LimitNode];
    for (let turn = 0; turn < 3; turn += 1) {
      void gone.ask(inFlight, 1, 3);
      await world.pass(200);
      await world.deliverAll();
    }
    expect(await near.ask(inFlight, 1, 3)).toBeUndefined();
    gone.isDown = true;
    await world.pass(10_000);
    expect(await near.ask(inFlight, 1, 3)).toBeDefined();
  });
});
