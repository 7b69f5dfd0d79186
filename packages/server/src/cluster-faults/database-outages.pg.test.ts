import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { type FaultyPostgres, faultyPostgres } from '../testing/faulty-postgres.ts';
import { NodeCrowd } from '../testing/node-crowd.ts';

/** Longer than a node counts on its leases alone, and longer than others leave them to it. */
const awayMs = 8000;
/** So that what a frozen server was asked is given up within this time. */
const environment = { DATABASE_STATEMENT_SECONDS: '2' };

const outages: readonly [string, (postgres: FaultyPostgres) => Promise<unknown>][] = [
  ['restarted in order', (postgres) => postgres.suffer('stop').then(() => postgres.suffer('start'))],
  ['restarted after a crash', (postgres) => postgres.suffer('crash').then(() => postgres.suffer('start'))],
  [
    'away for a while',
    async (postgres) => {
      await postgres.suffer('stop');
      await sleep(awayMs);
      await postgres.suffer('start');
    },
  ],
  [
    'frozen for a while',
    async (postgres) => {
      await postgres.suffer('freeze');
      await sleep(awayMs);
      await postgres.suffer('thaw');
    },
  ],
];

describe('[A9.11] three nodes under load whose PostgreSQL is', async () => {
  await using starting = new AsyncDisposableStack();
  const postgres = starting.use(await faultyPostgres());
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-test-'));
  starting.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const stored = {
    location: { dataDir, databaseUrl: postgres.url },
    environment: { DATA_DIR: dataDir, DATABASE_URL: postgres.url },
  };
  const crowd = starting.use(await NodeCrowd.start(stored, 3, environment));
  const stack = starting.move();
  afterAll(() => stack.disposeAsync());
  // What is asked before all nodes know the channel is of no interest.
  crowd.told.clear();
  crowd.load(6);

  test.each(outages)('%s serve again by themselves, and say nothing but to come again meanwhile', async (_, suffer) => {
    await crowd.answeredAfter(30);
    await suffer(postgres);
    for (const node of [0, 1, 2]) await crowd.untilServed(node);
    expect(crowd.toldElse).toEqual([]);
  });

  test('after all of this: every reply that was seen is charged and written down once, and the ledger is balanced', async () => {
    await crowd.endLoad();
    expect(crowd.seen.length).toBeGreaterThan(100);
    await crowd.expectExactBooks();
  });
});
