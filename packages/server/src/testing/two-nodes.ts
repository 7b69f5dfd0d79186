import { expect } from 'vitest';
import { pausingProxy } from './pausing-proxy.ts';
import type { relayScene } from './relay-scene.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

type Scene = Awaited<ReturnType<typeof relayScene>>;

/** Two nodes on one database; `stack` closes both. */
export async function twoNodes(options: TestAppOptions = {}) {
  const stack = new AsyncDisposableStack();
  const near = stack.use(await startTestApp(options));
  const far = stack.use(await startTestApp({ beside: near }));
  return { near, far, stack };
}

/** A question of the scene's user to any of the nodes. */
export const askNode = ({ url }: Pick<TestApp, 'url'>, scene: Scene, body: object = {}, init: RequestInit = {}) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${scene.token.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...body }),
    ...init,
  });

/** The first question to a node, which then has all of the user's points; it may be a moment before it hears of the channel. */
export const askFirst = (node: Pick<TestApp, 'url'>, scene: Scene) =>
  expect.poll(async () => (await askNode(node, scene)).status).toBe(200);

/** Three nodes, named first, second and third; what the database says reaches the others late, as from afar. */
export async function threeNodes(options: TestAppOptions = {}) {
  const stack = new AsyncDisposableStack();
  const first = stack.use(await startTestApp({ ...options, config: { ...options.config, nodeName: 'first' } }));
  const far = stack.use(await pausingProxy(first.location.databaseUrl ?? '', 50));
  const beside = (nodeName: string): TestAppOptions => ({
    ...options,
    beside: first,
    config: { ...options.config, nodeName, databaseUrl: far.url },
  });
  const second = stack.use(await startTestApp(beside('second')));
  const third = stack.use(await startTestApp(beside('third')));
  return { first, second, third, nodes: [first, second, third], far, stack };
}
