import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { NodeCluster } from '../process/node-cluster.ts';
import { type FaultyPostgres, faultyPostgres } from './faulty-postgres.ts';

/** Query timeout, for a frozen server. */
const environment = { DATABASE_STATEMENT_SECONDS: '2' };

export type Outage = (postgres: FaultyPostgres) => Promise<unknown>;

/**
 * Puts three nodes under load and expects them to recover after each outage of their PostgreSQL, to return only
 * retryable errors in the meantime, and to charge and log every response once.
 */
export async function expectExactChargesAfterOutages(outageCases: Readonly<Record<string, Outage>>): Promise<void> {
  await using postgres = await faultyPostgres();
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-test-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const stored = {
    location: { dataDir, databaseUrl: postgres.url },
    environment: { DATA_DIR: dataDir, DATABASE_URL: postgres.url },
  };
  await using crowd = await NodeCluster.start(stored, 3, environment);
  // Discards the results of requests sent before all nodes had loaded the channel.
  crowd.results.clear();
  crowd.load(6);
  for (const [name, injectFault] of Object.entries(outageCases)) {
    await crowd.respondedAfter(30);
    await injectFault(postgres);
    for (const node of [0, 1, 2]) await crowd.untilServed(node);
    expect(crowd.otherMessages, name).toEqual([]);
  }
  await crowd.endLoad();
  expect(crowd.seen.length).toBeGreaterThan(30);
  await crowd.expectExactLedger();
}

export const crashAndRestart: Outage = (postgres) =>
  postgres.injectFault('crash').then(() => postgres.injectFault('start'));
