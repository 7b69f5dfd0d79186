import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, programVersion } from '../config.ts';
import { localChangeFeed } from '../platform/db/change-feed.ts';
import { type Database, openDatabase, openForArchive } from '../platform/db/database.ts';
import { appliedMigrations, isKnownMigration, lastMigration, migrate } from '../platform/db/migrate.ts';
import { createTransactions } from '../platform/db/transaction.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { createLogger } from '../platform/logging/log-lines.ts';
import { OptionRepository } from '../platform/options/option-repository.ts';
import { OptionService } from '../platform/options/option-service.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';
import { secretBoxFor, secretKeyFor } from '../platform/secrets/secret-check-repository.ts';
import { folderError } from '../platform/storage/create-folder.ts';
import { databaseFile } from '../platform/storage/database-file.ts';
import { LogRepository } from '../records/logs/log-repository.ts';
import { LogService } from '../records/logs/log-service.ts';
import { ChargeJournalRepository } from '../relay/charges/charge-journal-repository.ts';
import { ChargeStore } from '../relay/charges/charge-store.ts';
import { SettlementRepository } from '../relay/charges/settlement-repository.ts';
import { UpstreamResponseRepository } from '../relay/upstream-responses/upstream-response-repository.ts';
import type { ArchiveInfo } from './archive/archive-contents.ts';
import { rejectExisting, writeArchive } from './archive/archive-file.ts';
import { readArchiveSchema } from './archive/archive-schema-repository.ts';
import { ArchiveSourceRepository } from './archive/archive-source-repository.ts';
import { archiveText } from './archive/archive-text.ts';
import { copySqlite } from './archive/sqlite-copy-repository.ts';

export interface ExportCommand {
  readonly to: string;
  readonly passphrase: string;
  /** Time of the first log to export, in seconds; null for all logs. */
  readonly logsSince: number | null;
  readonly print: (line: string) => void;
  /** Aborts the export and leaves no file. */
  readonly signal?: AbortSignal;
  /** Cost of each passphrase attempt; the default unless given. */
  readonly cost?: number;
}

type ExportSource = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>;

/** Writes the whole gateway into one file; servers may be running. Throws StartFailure. */
export async function runExport(command: ExportCommand, source: ExportSource): Promise<void> {
  rejectExisting(command.to);
  if (source.databaseUrl === undefined) await exportFile(command, source);
  else await exportSnapshot(command, source, source.databaseUrl);
  const megabytes = (statSync(command.to).size / 1_000_000).toFixed(1);
  command.print(
    `Exported to ${command.to} (${megabytes} MB). Keep the passphrase: the file cannot be opened without it.`,
  );
}

/**
 * Reads a copy instead of the database: a long read would keep SQLite from truncating its WAL, and pending journal
 * entries can be applied to the copy.
 */
async function exportFile(command: ExportCommand, source: ExportSource): Promise<void> {
  const folder = temporaryFolderIn(dirname(command.to));
  try {
    await copySqlite(databaseFile(source.dataDir), databaseFile(folder));
    const database = await openDatabase({ dataDir: folder, databaseUrl: undefined });
    try {
      await migrate(database);
      const box = await boxOf(database, source);
      await applyJournal(database, box, command);
      await writeAll(database, box, command);
    } finally {
      await database.destroy();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function temporaryFolderIn(parent: string): string {
  try {
    return mkdtempSync(join(parent, 'exporting-'));
  } catch (error) {
    throw new StartFailure(`The folder ${parent} cannot be written (${folderError(error)}).`);
  }
}

async function exportSnapshot(command: ExportCommand, source: ExportSource, url: string): Promise<void> {
  const database = await openForArchive(url);
  try {
    await database
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (moment) => {
        await expectThisVersion(moment);
        await writeAll(moment, await boxOf(moment, source), command);
      });
  } finally {
    await database.destroy();
  }
}

async function expectThisVersion(database: Database): Promise<void> {
  const made = await appliedMigrations(database);
  if (made.includes(lastMigration) && made.every((name) => isKnownMigration(name))) return;
  throw new StartFailure(
    'The database belongs to another version of Headgate. Start this version on it once, or use that version.',
  );
}

const boxOf = async (database: Database, source: ExportSource): Promise<SecretBox> =>
  secretBoxFor(database, await secretKeyFor(database, source));

async function applyJournal(database: Database, box: SecretBox, { print }: ExportCommand): Promise<void> {
  const store = new ChargeStore({
    settlements: new SettlementRepository(database),
    logs: new LogService(new LogRepository(database), new OptionService(new OptionRepository(database), box)),
    keptResponses: new UpstreamResponseRepository(database),
    journal: new ChargeJournalRepository(database),
    inTransaction: createTransactions(database, localChangeFeed(createLogger('error'))),
    onFailure: () => undefined,
    onUnreadable: ({ entry }) => print(`Journal entry ${entry.id} cannot be read and is exported as set aside.`),
  });
  await store.recover();
}

async function writeAll(database: Database, box: SecretBox, command: ExportCommand): Promise<void> {
  const { to: path, passphrase, cost, signal, logsSince, print } = command;
  const facts: ArchiveInfo = {
    headgate: programVersion(),
    migration: lastMigration,
    time: nowInSeconds(),
    logs_since: logsSince,
    fingerprint_key: box.fingerprintKey,
  };
  const schema = await readArchiveSchema(database);
  const source = new ArchiveSourceRepository(database, { facts, schema, open: (sealed) => box.open(sealed) });
  const notify = (table: string, rows: number) => (rows > 0 ? print(`${table}: ${rows} rows`) : undefined);
  await writeArchive(archiveText(source, notify), { path, passphrase, cost, signal });
}
