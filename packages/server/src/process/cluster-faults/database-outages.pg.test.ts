import { test } from 'vitest';
import { crashAndRestart, expectExactChargesAfterOutages } from '../../testing/database/database-outages.ts';

test('[A9.11] three nodes under load recover from a PostgreSQL crash and charge every response once', () =>
  expectExactChargesAfterOutages({ 'restarted after a crash': crashAndRestart }));
