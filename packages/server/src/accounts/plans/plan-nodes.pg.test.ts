import { ledgerApi, ownPlanApi, planApi, userPlanApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { requestNode, requestResult, startThreeNodes, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';

/** Quota reserved by a request with max_tokens 10. */
const reserved = 125;

test('three nodes never exceed a window of a plan, and charge each request to the plan or to the balance', async () => {
  const { first, nodes, stack } = await startThreeNodes();
  await using _nodes = stack;
  const scene = await relayFixture(first, { upstreams: [completion()] });
  for (const node of nodes) await warmUpNode(node, scene);
  const { user: before } = await scene.books();
  const windows = [
    { period: 'hours' as const, hours: 5, amount: reserved * 8 },
    { period: 'all' as const, amount: reserved * 100 },
  ];
  const { id } = await scene.admin.call(planApi.create, { body: { name: 'Pro', days: 1, windows } });
  await scene.admin.call(userPlanApi.assign, { body: { user_id: scene.user.id, plan_id: id } });
  const send = async (index: number) => requestResult(await requestNode(nodes[index % nodes.length] ?? first, scene));
  const results: string[] = [];
  for (let round = 0; round < 4; round += 1)
    results.push(...(await Promise.all(Array.from({ length: 9 }, (_, index) => send(index)))));
  expect(new Set(results)).toEqual(new Set(['200']));
  const [plan] = await scene.client.call(ownPlanApi.own);
  const used = plan?.windows.map((window) => window.used) ?? [];
  expect(used[0]).toBeGreaterThan(0);
  expect(used[0]).toBeLessThanOrEqual(reserved * 8);
  expect(used[1]).toBe(used[0]);
  const { user } = await scene.books();
  expect(user.plan_quota).toBe(used[0]);
  expect(before.quota - user.quota).toBe(results.length * plainPrice - user.plan_quota);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  await scene.close();
});
