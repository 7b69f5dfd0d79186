import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { archivedTable, archivedTables } from '../../commands/archive/archived-tables.ts';
import { type ExportCommand, runExport } from '../../commands/export-command.ts';
import { type RestoreCommand, runRestore } from '../../commands/restore-command.ts';
import { readConfig } from '../../config.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import type { TestDatabase } from '../database/test-database.ts';

export type ArchiveLocation = Pick<TestDatabase, 'location'>;

export const passphrase = 'correct horse battery staple';

/** Lowest accepted cost, because tests open many archives. */
export const lowestScryptCost = 2 ** 14;

const configFor = ({ location }: ArchiveLocation) => ({ ...readConfig({}), ...location });

/** Temporary folder for archives, deleted on disposal. */
export function archiveFolder(): { readonly path: (name: string) => string; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-archive-'));
  return {
    path: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs the export command and returns its output. */
export async function exportArchive(
  to: string,
  from: ArchiveLocation,
  given: Partial<ExportCommand> = {},
): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  await runExport({ to, passphrase, logsSince: null, cost: lowestScryptCost, print, ...given }, configFor(from));
  return lines;
}

export async function restoreArchive(
  from: string,
  to: ArchiveLocation,
  given: Partial<RestoreCommand> = {},
): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  await runRestore({ from, passphrase, isCheck: false, patienceMs: 0, print, ...given }, configFor(to));
  return lines;
}

export async function withDatabase<T>(
  { location }: ArchiveLocation,
  send: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(location);
  try {
    return await send(database);
  } finally {
    await database.destroy();
  }
}

export type Contents = Readonly<Record<string, readonly string[]>>;

/** All exported tables, with secrets decrypted with their database's key. Rows are sorted by their JSON text. */
export const archiveContents = (location: ArchiveLocation): Promise<Contents> =>
  withDatabase(location, async (database) => {
    const box = new SecretBox(loadSecretKey(location.location.dataDir, undefined));
    const contents: Record<string, readonly string[]> = {};
    for (const table of archivedTables) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(database);
      const { sealed = [], isSealed = () => true, isLeft = () => false } = archivedTable(table) ?? {};
      const texts = rows
        .filter((row) => !isLeft(row))
        .map((row) => textOf(row, (column) => sealed.includes(column) && isSealed(row), box));
      contents[table] = texts.sort();
    }
    return contents;
  });

function textOf(row: Readonly<Record<string, unknown>>, isSecret: (column: string) => boolean, box: SecretBox): string {
  const cells = Object.entries(row).map(([column, value]) => {
    if (value instanceof Uint8Array) return [column, Buffer.from(value).toString('hex')];
    return [column, isSecret(column) && value !== '' ? box.open(String(value)) : value];
  });
  return JSON.stringify(cells.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
}
