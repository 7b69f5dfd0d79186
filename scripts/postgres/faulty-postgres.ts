import { createInterface } from 'node:readline';
import { type PostgresFault, postgresFaults } from './postgres-faults.ts';
import { startOwnPostgres } from './start-postgres.ts';

/**
 * A PostgreSQL for one test. Each input line names a fault, such as a crash that loses the last commits; it prints a
 * line when the fault has happened. Stops when its input closes.
 */

/** Confirmed commits survive a crash of the server process; the machine never crashes. */
const speedSettings = { fsync: 'off', full_page_writes: 'off' };
const postgres = await startOwnPostgres(undefined, speedSettings);
const faults = postgresFaults(postgres, speedSettings);
process.stdout.write(`ready at ${postgres.url}\n`);
// Exit handlers stop the server when a test run is aborted.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
let done = 0;
for await (const order of createInterface({ input: process.stdin })) {
  const result = await faults[order as PostgresFault]();
  done += 1;
  process.stdout.write(`done ${done} ${result ?? ''}\n`);
}
process.exit();
