import { openDatabase } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';

/** Command for the program, as JSON in its first argument. */
export interface MigrationCommand {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** Number of statements after which the process kills itself; never if absent. */
  readonly killAfter?: number;
  /** Prints "ready" once the database is open and migrates at the first input line. */
  readonly waits?: boolean;
}

/** Migrates a database in a separate process and prints the number of statements. */
const { dataDir, databaseUrl, killAfter, waits } = JSON.parse(process.argv[2] ?? '{}') as MigrationCommand;

/** On a busy machine a migration takes longer than the default lock timeout of a node. */
const databaseLimits = { statementMs: 60_000, lockMs: 60_000, idleMs: 60_000 };

let statements: number | undefined;
const database = await openDatabase({ dataDir, databaseUrl, databaseLimits }, () => {
  if (statements === undefined) return;
  statements += 1;
  if (statements === killAfter) process.kill(process.pid, 'SIGKILL');
});
if (waits) {
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.destroy();
}
statements = 0;
await migrate(database);
process.stdout.write(`${statements} statements\n`);
await database.destroy();
