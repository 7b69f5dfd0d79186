import {
  completion,
  done,
  piece,
  plainPrice,
  StubUpstream,
  stop,
  stream,
  type UpstreamAnswer,
  usageEvent,
} from '@headgate/testkit';
import { expect, test } from 'vitest';
import { openDatabase } from './db/database.ts';
import { upToDate } from './db/up-to-date.ts';
import { Balancer } from './testing/balancer.ts';
import { addressOf, type Program, startServer } from './testing/program.ts';
import { relayScene } from './testing/relay-scene.ts';
import { askWhole, makeToken, slowAnswer, steadyLoad } from './testing/steady-load.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';
import { askFirst, askNode, twoNodes } from './testing/two-nodes.ts';

const nodeCount = 3;
const clientCount = 6;
/** Long beside the moments in which the balancer looks, short beside the patience of whoever runs tests. */
const drainSeconds = '5';

const startNode = (stored: TestDatabase, port: string): Program =>
  startServer(
    { ...stored.environment, PORT: port, SHUTDOWN_DRAIN_SECONDS: drainSeconds, LOG_LEVEL: 'error' },
    stored.location.dataDir,
  );

test('three nodes restarted one after the other, under answers and streams, lose no request and charge each once', async () => {
  await using stored = await createTestDatabase();
  const upstream = await StubUpstream.start(slowAnswer);
  await using nodes = new AsyncDisposableStack();
  const running = new Map<string, Program>();
  for (let index = 0; index < nodeCount; index += 1) {
    const node = nodes.use(startNode(stored, '0'));
    running.set(await addressOf(node), node);
  }
  const urls = [...running.keys()];
  const key = await makeToken(urls[0] ?? '', upstream);
  // The others may be a moment before they hear of the channel.
  for (const url of urls) await expect.poll(() => askWhole(url, key, false)).toBe(undefined);
  await using balancer = await Balancer.start(urls);
  const before = upstream.seen.length;
  const load = steadyLoad(balancer.url, key, clientCount);
  for (const [url, node] of running) {
    node.process.kill('SIGTERM');
    expect(await node.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    await addressOf(nodes.use(startNode(stored, new URL(url).port)));
    await expect.poll(() => balancer.ready.length).toBe(nodeCount);
  }
  const { failures, asked } = await load.end();
  expect(failures).toEqual([]);
  expect(asked).toBeGreaterThan(clientCount * nodeCount);
  expect(upstream.seen.length - before).toBe(asked);
  await upstream.close();
  const database = await openDatabase(stored.location);
  const logs = await database.selectFrom('logs').select('quota').where('type', 'in', [2, 5]).execute();
  const user = await database.selectFrom(upToDate(database, 'users')).selectAll().executeTakeFirstOrThrow();
  await database.destroy();
  expect(logs.map(({ quota }) => quota)).toEqual(Array.from({ length: before + asked }, () => plainPrice));
  expect([user.used_quota, user.credited - user.quota - user.used_quota]).toEqual([(before + asked) * plainPrice, 0]);
});

test('a node that ends while a stream runs gives the others what it has leased and does not need', async () => {
  const { near, far, stack } = await twoNodes();
  await using _nodes = stack;
  const rest = Promise.withResolvers<void>();
  const slow: UpstreamAnswer = async (response, request) => {
    const { stream: isStream } = JSON.parse(request.text) as { stream?: boolean };
    if (!isStream) return completion()(response, request);
    await stream([piece('Hello')], 'stall')(response, request);
    await rest.promise;
    response.end([stop, usageEvent, done].join(''));
  };
  const scene = await relayScene(near, { upstreams: [slow], quota: 10_000 });
  await askFirst(near, scene);
  const streamed = await askNode(near, scene, { stream: true });
  await streamed.body?.getReader().read();
  const closed = near.app.close();
  await expect.poll(() => near.app.server.listening).toBe(false);
  expect((await askNode(far, scene)).status).toBe(200);
  rest.resolve();
  await closed;
  const { user, drift } = await scene.books();
  expect([user.used_quota, drift]).toEqual([3 * plainPrice, 0]);
  await scene.close();
});
