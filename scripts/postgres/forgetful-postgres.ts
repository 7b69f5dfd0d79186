import { createInterface } from 'node:readline';
import { startOwnPostgres } from './start-postgres.ts';

/**
 * A PostgreSQL of a test's own that can lose its last commits, as a crash does whose log had not reached the disk, or a
 * fail-over to a standby that was behind. Obeys the lines `keep` and `lose`; ends with its input.
 */
const postgres = await startOwnPostgres();
process.stdout.write(`ready at ${postgres.url}\n`);
// Also when a test run is broken off: what is left to do at the end stops the server.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
let done = 0;
for await (const order of createInterface({ input: process.stdin })) {
  if (order === 'keep') postgres.keep();
  if (order === 'lose') postgres.lose();
  done += 1;
  process.stdout.write(`done ${done}\n`);
}
postgres.stop();
