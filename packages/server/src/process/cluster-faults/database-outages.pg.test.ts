import { test } from 'vitest';
import { crashedAndRestarted, expectExactBooksAfterOutages } from '../../testing/database/database-outages.ts';

test('[A9.11] three nodes under load recover from a PostgreSQL crash and charge every response once', () =>
  expectExactBooksAfterOutages({ 'restarted after a crash': crashedAndRestarted }));
