import { type ImportCommand, runImport } from '../../commands/import-command.ts';
import { readConfig } from '../../config.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import type { TestDatabase } from '../database/test-database.ts';
import type { SourceDatabase } from './source-databases.ts';

/** `old password` hashed with bcrypt: at the cost the source gateways use, and at the lowest cost. */
export const sourcePassword = {
  text: 'old password',
  hash: '$2a$10$WJTxXs2DIFLzkP2lbUjfa.wzLmIaI6x0vRuZfz/egfaaKlAby7Dz6',
  fastPasswordHash: '$2a$04$C5UyIUpACO2MOKUzXimE6uHX70pe0VwK8x3Qj74Ed2G56jthtiL9.',
} as const;

/** A key in the format of the source gateways, deterministic by number. */
export const sourceKey = (number: number): string => `Key${String(number).padStart(45, '0')}`;

const configFor = ({ location }: Pick<TestDatabase, 'location'>) => ({ ...readConfig({}), ...location });

/** Runs the import command and returns its output. */
export async function importFrom(
  source: Pick<SourceDatabase, 'path'>,
  into: Pick<TestDatabase, 'location'>,
  given: Partial<ImportCommand> = {},
): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  await runImport(
    { from: source.path, isDryRun: false, logsSince: undefined, patienceMs: 0, print, ...given },
    configFor(into),
  );
  return lines;
}

/** Runs a query on a database that no app has open. */
export async function queryDatabase<T>(
  { location }: Pick<TestDatabase, 'location'>,
  send: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(location);
  try {
    return await send(database);
  } finally {
    await database.destroy();
  }
}

const tables = [
  ...(['users', 'tokens', 'channels', 'channel_keys', 'abilities', 'redemptions', 'options', 'imported_rows'] as const),
  ...(['prices', 'price_changes', 'meta', 'logs', 'usage_days', 'site_hours', 'known_identities', 'sessions'] as const),
  ...(['budgets', 'limit_rules', 'organizations', 'organization_members', 'projects', 'service_accounts'] as const),
  ...(['plans', 'user_plans', 'orders', 'budget_periods', 'referral_shares'] as const),
];

/** All tables that an import could change. */
export const databaseContents = (into: Pick<TestDatabase, 'location'>): Promise<Record<string, unknown[]>> =>
  queryDatabase(into, async (database) => {
    const contents: Record<string, unknown[]> = {};
    for (const table of tables) contents[table] = inOrder(await database.selectFrom(table).selectAll().execute());
    return contents;
  });

/** Sorts by numeric id, or else by content, because databases return rows in any order. */
function inOrder(rows: readonly object[]): object[] {
  const text = (row: object) => JSON.stringify(row);
  const number = (row: object) => ('id' in row && typeof row.id === 'number' ? row.id : 0);
  return [...rows].sort((one, other) => number(one) - number(other) || (text(one) < text(other) ? -1 : 1));
}

/** All tables that an import could change, without random and time-dependent values. */
export async function comparableDatabase(
  into: Pick<TestDatabase, 'location'>,
): Promise<Record<string, readonly object[]>> {
  const { meta: _, sessions: __, ...contents } = await databaseContents(into);
  const plain = (row: object) =>
    Object.fromEntries(
      Object.entries(row).filter(([column]) => !/_sealed$|fingerprint$|^(updated|created|changed)_time$/.test(column)),
    );
  return Object.fromEntries(
    Object.entries(contents).map(([table, rows]) => [table, inOrder((rows as object[]).map(plain))]),
  );
}
