import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { pausingProxy } from '../database/pausing-proxy.ts';
import type { relayFixture } from '../relay/relay-fixture.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../test-app.ts';

type Fixture = Awaited<ReturnType<typeof relayFixture>>;

/** Two nodes on one database. Disposing `stack` closes both. */
export async function startTwoNodes(options: TestAppOptions = {}) {
  const stack = new AsyncDisposableStack();
  const near = stack.use(await startTestApp(options));
  const far = stack.use(await startTestApp({ beside: near }));
  return { near, far, stack };
}

/** Two nodes for a whole test file, closed after its last test. */
export async function useTwoNodes(options: TestAppOptions = {}) {
  const { near, far, stack } = await startTwoNodes(options);
  afterAll(() => stack.disposeAsync());
  return { near, far };
}

/** Leases of the fixture's user and token. */
export const readLeases = ({ database }: TestApp, { user, token }: Fixture) =>
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

/** Sends a request of the fixture's user to any node. */
export const requestNode = ({ url }: Pick<TestApp, 'url'>, scene: Fixture, body: object = {}, init: RequestInit = {}) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${scene.token.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...body }),
    ...init,
  });

export const statusOf = async (pending: Promise<Response>): Promise<number> => (await pending).status;

/**
 * Sends the first requests to a node, which then leases all of the user's points. Loading the channel may take a short
 * time.
 */
export const warmUpNode = (node: Pick<TestApp, 'url'>, scene: Fixture) =>
  expect.poll(async () => (await requestNode(node, scene)).status).toBe(200);

/** Retryable errors that a node may return after another node or the database failed. */
export const retryableErrors: ReadonlySet<string> = new Set([
  '429 quota_held',
  '503 out_of_touch',
  '503 storage_unavailable',
]);

/** Status of a response, with its code if it has one. */
export async function requestResult(response: Response): Promise<string> {
  const code = /"code":"(\w+)"/.exec(await response.text())?.[1];
  return response.status === 200 || code === undefined ? String(response.status) : `${response.status} ${code}`;
}

const servedWithinMs = 120_000;

/** Sends a request and retries like a client; any other error fails immediately. */
export async function requestUntilServed(node: Pick<TestApp, 'url'>, scene: Fixture, body: object = {}): Promise<void> {
  const end = performance.now() + servedWithinMs;
  let result = await requestResult(await requestNode(node, scene, body));
  while (retryableErrors.has(result) && performance.now() < end) {
    await sleep(200);
    result = await requestResult(await requestNode(node, scene, body));
  }
  expect(result).toBe('200');
}

/**
 * Three nodes named first, second and third. Database responses to the second and third are delayed, as over a long
 * distance.
 */
export async function startThreeNodes(options: TestAppOptions = {}) {
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
