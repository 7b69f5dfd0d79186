import { statusApi } from '@headgate/contract';
import { completion, reply, type UpstreamAnswer } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { relayScene } from '../testing/relay-scene.ts';
import type { TestApp, TestAppOptions } from '../testing/test-app.ts';
import { startTestApp } from '../testing/test-app.ts';
import { askFirst, askNode } from '../testing/two-nodes.ts';

const none = readConfig({ API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' }).rateLimits;

async function nodesWith({ options, config }: TestAppOptions = {}) {
  const stack = new AsyncDisposableStack();
  const given = { config: { trustedProxies: ['127.0.0.0/8'], ...config } };
  const first = stack.use(await startTestApp({ ...given, ...(options && { options }) }));
  const second = stack.use(await startTestApp({ ...given, beside: first }));
  const third = stack.use(await startTestApp({ ...given, beside: first }));
  return { first, second, third, nodes: [first, second, third] as const, stack };
}

/** Answers nobody before it is told to. */
function gate(): { answer: UpstreamAnswer; open: () => void } {
  const opened = Promise.withResolvers<void>();
  return {
    answer: async (response, request) => {
      await opened.promise;
      await completion()(response, request);
    },
    open: opened.resolve,
  };
}

/** Calls every node until it refuses, now and then: before that the others were not heard of yet. Gives how many it let in. */
async function untilRefused(nodes: readonly TestApp[], call: (node: TestApp) => Promise<number>): Promise<number> {
  let letIn = 0;
  for (const node of nodes) {
    const status = async () => {
      const answered = await call(node);
      if (answered !== 429) letIn += 1;
      return answered;
    };
    await expect.poll(status, { interval: 250 }).toBe(429);
  }
  return letIn;
}

test('[A18.1] calls of the API by one address are counted over all nodes', async () => {
  const { nodes, stack } = await nodesWith({ config: { rateLimits: { ...none, api: { most: 300, seconds: 180 } } } });
  await using _nodes = stack;
  const call = async (node: TestApp, from = '203.0.113.9') =>
    (await node.client().send(statusApi.status, { headers: { 'x-forwarded-for': from } })).status;
  for (const node of nodes) {
    const statuses = await Promise.all(Array.from({ length: 100 }, () => call(node)));
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  expect(await untilRefused(nodes, call)).toBeLessThan(50);
  expect(await call(nodes[0], '203.0.113.10')).toBe(200);
});

test('[A18.1] unknown keys from one address are counted over all nodes', async () => {
  const { nodes, stack } = await nodesWith();
  await using _nodes = stack;
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
  expect(await untilRefused(nodes, guess)).toBeLessThan(20);
});

test.for([
  ['of a user', { UserConcurrencyLimit: '3', TokenConcurrencyLimit: '0' }],
  ['of a token', { UserConcurrencyLimit: '0', TokenConcurrencyLimit: '3' }],
] as const)('[A1.5] requests %s under way on other nodes take a place here', async ([, options]) => {
  const { first, second, third, stack } = await nodesWith({ options });
  await using _nodes = stack;
  const { answer, open } = gate();
  const scene = await relayScene(first, { upstreams: [answer] });
  const nodes = [first, second, third];
  const running = nodes.map((node) => askNode(node, scene));
  await expect.poll(() => scene.upstreams[0]?.seen.length).toBe(3);
  // One that is let in before the others were heard of leaves again.
  const refused = async (node: TestApp) => {
    const signal = AbortSignal.timeout(3000);
    return (await askNode(node, scene, {}, { signal }).catch(() => undefined))?.status;
  };
  for (const node of nodes) await expect.poll(() => refused(node)).toBe(429);
  open();
  for (const response of await Promise.all(running)) expect(response.status).toBe(200);
  for (const node of nodes) await askFirst(node, scene);
  await scene.close();
});

test('a channel that fails once on each of three nodes rests on all of them', async () => {
  const { first, second, third, nodes, stack } = await nodesWith({ options: { RetryTimes: '1' } });
  await using _nodes = stack;
  const scene = await relayScene(first, {
    upstreams: [reply({ error: { message: 'down' } }, 500), completion()],
  });
  const asked = () => scene.upstreams[0]?.seen.length ?? 0;
  for (const node of nodes) {
    await expect.poll(async () => (await askNode(node, scene)).status).toBe(200);
  }
  expect(asked()).toBe(3);
  // All have heard of it: the channel is passed over.
  for (const node of [second, third, first]) {
    await expect
      .poll(async () => {
        const before = asked();
        await askNode(node, scene);
        return asked() - before;
      })
      .toBe(0);
  }
  expect(asked()).toBeLessThanOrEqual(6);
  await scene.close();
});
