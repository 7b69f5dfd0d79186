import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { pausingProxy } from '../database/pausing-proxy.ts';
import type { relayScene } from '../relay/relay-scene.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../test-app.ts';

type Scene = Awaited<ReturnType<typeof relayScene>>;

/** Two nodes on one database; `stack` closes both. */
export async function twoNodes(options: TestAppOptions = {}) {
  const stack = new AsyncDisposableStack();
  const near = stack.use(await startTestApp(options));
  const far = stack.use(await startTestApp({ beside: near }));
  return { near, far, stack };
}

/** Two nodes for a whole test file, closed after its last test. */
export async function useTwoNodes(options: TestAppOptions = {}) {
  const { near, far, stack } = await twoNodes(options);
  afterAll(() => stack.disposeAsync());
  return { near, far };
}

/** Leases of the scene's user and token. */
export const leasesOf = ({ database }: TestApp, { user, token }: Scene) =>
  database
    .selectFrom('leases')
    .selectAll()
    .where(({ and, eb, or }) =>
      or([
        and([eb('kind', '=', 'user'), eb('owner_id', '=', user.id)]),
        and([eb('kind', '=', 'token'), eb('owner_id', '=', token.id)]),
      ]),
    )
    .execute();

/** A question of the scene's user to any of the nodes. */
export const askNode = ({ url }: Pick<TestApp, 'url'>, scene: Scene, body: object = {}, init: RequestInit = {}) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${scene.token.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...body }),
    ...init,
  });

export const statusOf = async (asking: Promise<Response>): Promise<number> => (await asking).status;

/** The first question to a node, which then has all of the user's points; it may be a moment before it hears of the channel. */
export const askFirst = (node: Pick<TestApp, 'url'>, scene: Scene) =>
  expect.poll(async () => (await askNode(node, scene)).status).toBe(200);

/** What a node may say for a while after another, or the database, was lost: its clients are to come again. */
export const comeAgain: ReadonlySet<string> = new Set([
  '429 quota_held',
  '503 out_of_touch',
  '503 storage_unavailable',
]);

/** The status of a reply, with its code where it has one. */
export async function toldBy(response: Response): Promise<string> {
  const code = /"code":"(\w+)"/.exec(await response.text())?.[1];
  return response.status === 200 || code === undefined ? String(response.status) : `${response.status} ${code}`;
}

const servedWithinMs = 120_000;

/** Asks as a client does that comes again when it is told to; whatever else it is told fails at once. */
export async function askUntilServed(node: Pick<TestApp, 'url'>, scene: Scene, body: object = {}): Promise<void> {
  const end = performance.now() + servedWithinMs;
  let told = await toldBy(await askNode(node, scene, body));
  while (comeAgain.has(told) && performance.now() < end) {
    await sleep(200);
    told = await toldBy(await askNode(node, scene, body));
  }
  expect(told).toBe('200');
}

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
