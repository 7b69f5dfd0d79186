import { type LimitMeasure, limitRuleApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { requestNode, startThreeNodes, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { maxUnannouncedUse } from './limit-exchange.ts';

const { nodes, first, second, third, far, stack } = await startThreeNodes();
afterAll(() => stack.disposeAsync());

type Scene = Awaited<ReturnType<typeof relayFixture>>;

/** A user with a limit, cached on every node. */
async function limited(measure: LimitMeasure, amount: number) {
  const scene = await relayFixture(first, { upstreams: [completion()], quota: 1_000_000_000 });
  for (const node of nodes) await warmUpNode(node, scene);
  const rule = await scene.admin.call(limitRuleApi.create, {
    body: { user_id: scene.user.id, measure, amount },
  });
  return { scene, rule, before: scene.upstreams[0]?.received.length ?? 0 };
}

const letIn = async (pending: readonly Promise<Response>[]) =>
  (await Promise.all(pending)).filter(({ status }) => status === 200).length;

const many = (count: number, node: (index: number) => TestApp, scene: Scene, body: object = {}) =>
  Array.from({ length: count }, (_, index) => requestNode(node(index), scene, body));

describe('[A38.6] requests per minute over three nodes', () => {
  test('admits concurrent requests up to the limit plus a twentieth per further node', async () => {
    const limit = 40;
    const { scene, before } = await limited('requests_per_minute', limit);
    const served = await letIn(many(90, (index) => nodes[index % 3] ?? first, scene));
    expect(served).toBeLessThanOrEqual(limit + 2 * maxUnannouncedUse(limit));
    expect(served).toBeGreaterThanOrEqual(0.95 * limit);
    expect((scene.upstreams[0]?.received.length ?? 0) - before).toBe(served);
    // All nodes have received all updates by now.
    for (const node of nodes) expect((await requestNode(node, scene)).status).toBe(429);
    await scene.close();
  });

  test.each([
    ['the nearest node', () => first],
    ['a distant node', () => third],
  ])('admits at least 95 % of the limit if all requests go to %s', async (_, node) => {
    const { scene } = await limited('requests_per_minute', 20);
    expect(await letIn(many(40, node, scene))).toBe(20);
    await scene.close();
  });

  test('with a limit of one, admits at most one request per node, and then none on any node', async () => {
    const { scene, before } = await limited('requests_per_minute', 1);
    expect((await requestNode(second, scene)).status).toBe(200);
    // The other nodes may each admit one request before they are notified.
    for (const node of [first, third])
      await expect.poll(async () => (await requestNode(node, scene)).status, { interval: 300 }).toBe(429);
    expect((scene.upstreams[0]?.received.length ?? 0) - before).toBeLessThanOrEqual(3);
    await scene.close();
  });
});

test('[A38.6] frees tokens that were reserved but not used on every node', async () => {
  const { scene, rule } = await limited('tokens_per_minute', 1000);
  for (let turn = 0; turn < 4; turn += 1) {
    // Each request reserves most of the limit and uses little of it.
    const send = async () => (await requestNode(nodes[turn % 3] ?? first, scene, { max_tokens: 800 })).status;
    await expect.poll(send, { interval: 200 }).toBe(200);
  }
  const { used } = await scene.admin.call(limitRuleApi.get, { params: { id: rule.id } });
  expect(used).toBeLessThan(500);
  await scene.close();
});

test('[A38.9] a disconnected node admits only a twentieth of the limit, and no more than the limit once it is connected again', async () => {
  const limit = 20;
  const { scene } = await limited('requests_per_minute', limit);
  expect(await letIn(many(limit, () => first, scene))).toBe(limit);
  const seen = () => scene.upstreams[0]?.received.length ?? 0;
  const before = seen();
  far.cut();
  let rejected = 0;
  const apart = [...many(10, () => second, scene), ...many(10, () => third, scene)].map(async (pending) => {
    const { status } = await pending;
    if (status !== 200) rejected += 1;
    return status;
  });
  // Responses to admitted requests end after they are charged, which requires the database.
  await expect.poll(() => rejected + seen() - before).toBe(apart.length);
  far.open();
  expect((await Promise.all(apart)).filter((status) => status === 200).length).toBeLessThanOrEqual(
    2 * maxUnannouncedUse(limit),
  );
  const back = async () => (await requestNode(second, scene)).status;
  await expect.poll(back, { interval: 500 }).toBe(429);
  expect(await letIn(many(10, () => second, scene))).toBe(0);
  await scene.close();
});
