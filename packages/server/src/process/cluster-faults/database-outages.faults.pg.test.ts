import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { crashAndRestart, expectExactChargesAfterOutages } from '../../testing/database/database-outages.ts';

/** Longer than a node trusts its leases, and longer than the lease expiry. */
const awayMs = 8000;

test('[A9.11] three nodes under load recover from any PostgreSQL outage and charge every response once', () =>
  expectExactChargesAfterOutages({
    'restarted in order': (postgres) => postgres.injectFault('stop').then(() => postgres.injectFault('start')),
    'restarted after a crash': crashAndRestart,
    'stopped for a while': async (postgres) => {
      await postgres.injectFault('stop');
      await sleep(awayMs);
      await postgres.injectFault('start');
    },
    'frozen for a while': async (postgres) => {
      await postgres.injectFault('freeze');
      await sleep(awayMs);
      await postgres.injectFault('thaw');
    },
  }));
