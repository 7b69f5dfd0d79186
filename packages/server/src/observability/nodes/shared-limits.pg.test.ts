import { optionApi, statusApi } from '@headgate/contract';
import { completion, reply, type UpstreamHandler } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { requestNode, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { type TestApp, useTestApp } from '../../testing/test-app.ts';

const none = readConfig({ API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' }).rateLimits;

const given = {
  config: { trustedProxies: ['127.0.0.0/8'], rateLimits: { ...none, api: { most: 300, seconds: 180 } } },
};
const first = await useTestApp({
  ...given,
  options: { RetryTimes: '1', UserConcurrencyLimit: '0', TokenConcurrencyLimit: '0' },
});
const second = await useTestApp({ ...given, beside: first });
const third = await useTestApp({ ...given, beside: first });
const nodes = [first, second, third] as const;

/** An upstream that holds its responses until it is opened. */
function gate(): { respond: UpstreamHandler; open: () => void } {
  const opened = Promise.withResolvers<void>();
  return {
    respond: async (response, request) => {
      await opened.promise;
      await completion()(response, request);
    },
    open: opened.resolve,
  };
}

/**
 * Calls every node until it rejects a call, which happens once it has received the other nodes' counts; returns the
 * number of accepted calls.
 */
async function untilRejected(nodes: readonly TestApp[], call: (node: TestApp) => Promise<number>): Promise<number> {
  let letIn = 0;
  for (const node of nodes) {
    const status = async () => {
      const responded = await call(node);
      if (responded !== 429) letIn += 1;
      return responded;
    };
    await expect.poll(status, { interval: 250 }).toBe(429);
  }
  return letIn;
}

test('[A18.1] API calls from one address are counted across all nodes', async () => {
  const call = async (node: TestApp, from = '203.0.113.9') =>
    (await node.client().send(statusApi.status, { headers: { 'x-forwarded-for': from } })).status;
  for (const node of nodes) {
    const statuses = await Promise.all(Array.from({ length: 100 }, () => call(node)));
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  expect(await untilRejected(nodes, call)).toBeLessThan(50);
  expect(await call(nodes[0], '203.0.113.10')).toBe(200);
});

test('[A18.1] unknown keys from one address are counted across all nodes', async () => {
  let guesses = 0;
  const guess = async (node: TestApp) => {
    guesses += 1;
    const authorization = `Bearer sk-${String(guesses).padStart(48, 'x')}`;
    const headers = { authorization, 'x-forwarded-for': '203.0.113.8' };
    return (await fetch(`${node.url}/v1/models`, { headers })).status;
  };
  for (const node of nodes) {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => guess(node)));
    expect(new Set(statuses)).toEqual(new Set([401]));
  }
  expect(await untilRejected(nodes, guess)).toBeLessThan(20);
});

test.for(['UserConcurrencyLimit', 'TokenConcurrencyLimit'] as const)(
  '[A1.5] in-flight requests on other nodes count towards %s',
  async (key) => {
    const { respond, open } = gate();
    const scene = await relayFixture(first, { upstreams: [respond] });
    const root = await first.as('root');
    await root.call(optionApi.update, { body: { key, value: '3' } });
    const running = nodes.map((node) => requestNode(node, scene));
    await expect.poll(() => scene.upstreams[0]?.received.length).toBe(3);
    // A request that was accepted before the others' counts arrived is canceled.
    const rejected = async (node: TestApp) => {
      const signal = AbortSignal.timeout(3000);
      return (await requestNode(node, scene, {}, { signal }).catch(() => undefined))?.status;
    };
    for (const node of nodes) await expect.poll(() => rejected(node)).toBe(429);
    open();
    for (const response of await Promise.all(running)) expect(response.status).toBe(200);
    for (const node of nodes) await warmUpNode(node, scene);
    await root.call(optionApi.update, { body: { key, value: '0' } });
    await scene.close();
  },
);

test('a channel that fails once on each of three nodes cools down on all of them', async () => {
  const scene = await relayFixture(first, {
    upstreams: [reply({ error: { message: 'down' } }, 500), completion()],
  });
  const requestCount = () => scene.upstreams[0]?.received.length ?? 0;
  for (const node of nodes) {
    await expect.poll(async () => (await requestNode(node, scene)).status).toBe(200);
  }
  expect(requestCount()).toBe(3);
  // All nodes have received the failures: the channel is skipped.
  for (const node of [second, third, first]) {
    await expect
      .poll(async () => {
        const before = requestCount();
        await requestNode(node, scene);
        return requestCount() - before;
      })
      .toBe(0);
  }
  // Three failures on each node would be nine.
  expect(requestCount()).toBeLessThan(9);
  await scene.close();
});
