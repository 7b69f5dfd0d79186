import { expect } from 'vitest';
import { createMigratedDatabase } from '../database/test-database.ts';
import { NodeCluster } from './node-cluster.ts';

const clients = 9;

/** The two of three nodes to kill, each with the number of responses to wait for first. */
export type KillRound = readonly [first: number, before: number, second: number, between: number];

/** Kills two of three nodes under load in each round and expects every response to be charged and logged once. */
export async function expectExactChargesAfterKills(rounds: readonly KillRound[]): Promise<void> {
  await using stored = await createMigratedDatabase();
  await using crowd = await NodeCluster.start(stored, 3);
  crowd.results.clear();
  crowd.load(clients);
  for (const [first, before, second, between] of rounds) {
    await crowd.respondedAfter(before);
    await crowd.kill(first);
    await crowd.respondedAfter(between);
    await crowd.kill(second);
    await crowd.respondedAfter(clients);
    // Starting a node under load is slow.
    crowd.rest();
    await Promise.all([crowd.startAnother(first), crowd.startAnother(second)]);
    crowd.goOn();
  }
  await crowd.respondedAfter(3 * clients);
  await crowd.endLoad();
  expect(crowd.otherMessages.filter((result) => result !== 'broken')).toEqual([]);
  // Each client sends one request at a time, so a kill breaks at most the requests of one node's clients.
  expect(crowd.results.get('broken') ?? 0).toBeLessThanOrEqual((rounds.length * 2 * clients) / 3);
  await crowd.expectExactLedger();
}
