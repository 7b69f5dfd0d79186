import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { crashedAndRestarted, expectExactBooksAfterOutages } from '../../testing/database/database-outages.ts';

/** Longer than a node relies on its leases, and longer than others leave them to it. */
const awayMs = 8000;

test('[A9.11] three nodes under load serve again after any outage of their PostgreSQL, and charge every response once', () =>
  expectExactBooksAfterOutages({
    'restarted in order': (postgres) => postgres.suffer('stop').then(() => postgres.suffer('start')),
    'restarted after a crash': crashedAndRestarted,
    'stopped for a while': async (postgres) => {
      await postgres.suffer('stop');
      await sleep(awayMs);
      await postgres.suffer('start');
    },
    'frozen for a while': async (postgres) => {
      await postgres.suffer('freeze');
      await sleep(awayMs);
      await postgres.suffer('thaw');
    },
  }));
