import { budgetApi, ledgerApi, logType } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { expect, test } from 'vitest';
import {
  requestNode,
  requestResult,
  retryableErrors,
  startThreeNodes,
  warmUpNode,
} from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';

/** Quota reserved by a request with max_tokens 10. */
const reserved = 125;

test('[A39.5] three nodes that charge one budget concurrently never exceed it and use nearly all of it', async () => {
  const { first, nodes, stack } = await startThreeNodes();
  await using _nodes = stack;
  const scene = await relayFixture(first, { upstreams: [completion()] });
  for (const node of nodes) await warmUpNode(node, scene);
  const amount = reserved * 20;
  const body = { kind: 'group', group: scene.group, amount, period: 'month', time_zone: 'Asia/Tokyo' } as const;
  await scene.admin.call(budgetApi.create, { body });
  const used = async () => (await scene.admin.call(budgetApi.list, { query: {} }))[0]?.used ?? 0;
  // Creating a budget waits at most a second for the other nodes, so a node may still serve requests without it.
  let unbudgeted = nodes.length;
  for (const node of nodes) {
    const isCounted = async () => {
      const before = await used();
      const { status } = await requestNode(node, scene);
      const after = await used();
      if (status === 200 && after === before) unbudgeted += 1;
      return after > before;
    };
    await expect.poll(isCounted).toBe(true);
  }
  const rejections: string[] = [];
  const client = async (index: number) => {
    // Clients stop after three consecutive rejections, because other nodes may have reserved the remaining quota for a
    // short time.
    for (let rejected = 0; rejected < 3; ) {
      const result = await requestResult(await requestNode(nodes[index % nodes.length] ?? first, scene));
      rejected = result === '200' ? 0 : rejected + 1;
      if (result !== '200') rejections.push(result);
    }
  };
  await Promise.all(Array.from({ length: 9 }, (_, index) => client(index)));
  // Under high load, all clients may have been rejected while the remaining quota moved between nodes; a single client
  // can use it.
  const usedAlone = async () => {
    await requestNode(first, scene);
    return used();
  };
  await expect.poll(usedAlone, { interval: 500 }).toBeGreaterThanOrEqual(amount * 0.95);
  const [budget] = await scene.admin.call(budgetApi.list, { query: {} });
  expect(budget?.used).toBeLessThanOrEqual(amount);
  expect(rejections.filter((result) => !retryableErrors.has(result) && result !== '429 budget_exhausted')).toEqual([]);
  expect(rejections.length).toBeGreaterThan(0);
  const { logs, user } = await scene.books();
  const served = logs.filter(({ type }) => type === logType.consumption).length;
  expect([user.budgeted_quota, budget?.used]).toEqual([budget?.used, (served - unbudgeted) * plainPrice]);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  await scene.close();
});
