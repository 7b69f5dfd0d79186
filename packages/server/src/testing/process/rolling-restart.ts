import { plainPrice, StubUpstream } from '@headgate/testkit';
import { expect } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { createMigratedDatabase, type TestDatabase } from '../database/test-database.ts';
import { LoadBalancer } from './balancer.ts';
import { addressOf, type Program, startServer } from './program.ts';
import { createLoadToken, sendLoadRequest, slowResponse, steadyLoad } from './steady-load.ts';

const clientCount = 6;
/** Long compared with the polling interval of the load balancer. */
const drainSeconds = '5';

const startNode = (stored: TestDatabase, port: string): Program =>
  startServer(
    { ...stored.environment, PORT: port, SHUTDOWN_DRAIN_SECONDS: drainSeconds, LOG_LEVEL: 'error' },
    stored.location.dataDir,
  );

/** Restarts nodes one after another under load. Expects no request to be lost and each to be charged once. */
export async function expectRollingRestart(nodeCount: number): Promise<void> {
  await using stored = await createMigratedDatabase();
  const upstream = await StubUpstream.start(slowResponse);
  await using nodes = new AsyncDisposableStack();
  const running = new Map<string, Program>();
  for (let index = 0; index < nodeCount; index += 1) {
    const node = nodes.use(startNode(stored, '0'));
    running.set(await addressOf(node), node);
  }
  const urls = [...running.keys()];
  const key = await createLoadToken(urls[0] ?? '', upstream);
  // Other nodes load the channel with a short delay.
  for (const url of urls) await expect.poll(() => sendLoadRequest(url, key, false)).toBe(undefined);
  await using balancer = await LoadBalancer.start(urls);
  const before = upstream.received.length;
  const load = steadyLoad(balancer.url, key, clientCount);
  for (const [url, node] of running) {
    node.process.kill('SIGTERM');
    expect(await node.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    await addressOf(nodes.use(startNode(stored, new URL(url).port)));
    await expect.poll(() => balancer.ready.length).toBe(nodeCount);
  }
  const { failures, requested } = await load.end();
  expect(failures).toEqual([]);
  expect(requested).toBeGreaterThan(clientCount * nodeCount);
  expect(upstream.received.length - before).toBe(requested);
  await upstream.close();
  const database = await openDatabase(stored.location);
  const logs = await database.selectFrom('logs').select('quota').where('type', 'in', [2, 5]).execute();
  const user = await database.selectFrom(currentTable(database, 'users')).selectAll().executeTakeFirstOrThrow();
  await database.destroy();
  expect(logs.map(({ quota }) => quota)).toEqual(Array.from({ length: before + requested }, () => plainPrice));
  expect([user.used_quota, user.credited - user.quota - user.used_quota]).toEqual([
    (before + requested) * plainPrice,
    0,
  ]);
}
