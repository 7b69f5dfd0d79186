import { createInterface } from 'node:readline';
import { type PostgresFault, postgresFaults } from './postgres-faults.ts';
import { startOwnPostgres } from './start-postgres.ts';

/**
 * A PostgreSQL of a test's own. Every line it is sent names something that happens to it, such as a crash that loses the last
 * commits; it says so when that has happened. Ends with its input.
 */

/** What it has confirmed it has after a crash of its own; the machine never crashes. */
const haste = { fsync: 'off', full_page_writes: 'off' };
const postgres = await startOwnPostgres(undefined, haste);
const faults = postgresFaults(postgres, haste);
process.stdout.write(`ready at ${postgres.url}\n`);
// Also when a test run is broken off: what is left to do at the end stops the server.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
let done = 0;
for await (const order of createInterface({ input: process.stdin })) {
  const said = await faults[order as PostgresFault]();
  done += 1;
  process.stdout.write(`done ${done} ${said ?? ''}\n`);
}
process.exit();
