import { openDatabase } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';

/** What the program is told, as JSON in its first argument. */
export interface MigratingOrder {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** The statement after which the process kills itself; never when absent. */
  readonly killAfter?: number;
  /** Says "ready" once the database is open and migrates at the first line it is sent. */
  readonly waits?: boolean;
}

/** Migrates a database in a process of its own, and prints how many statements that took. */
const { dataDir, databaseUrl, killAfter, waits } = JSON.parse(process.argv[2] ?? '{}') as MigratingOrder;

/** On a busy machine a migration takes longer than a node waits for a lock. */
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
