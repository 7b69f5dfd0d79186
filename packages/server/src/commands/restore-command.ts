import { closeSync, existsSync, fsyncSync, mkdtempSync, openSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { type Database, openDatabase, openForMigration, prepareWritableFolder } from '../platform/db/database.ts';
import { appliedMigrations, type Migrations, migrate } from '../platform/db/migrate.ts';
import { ProcessLock } from '../platform/db/process-lock.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { SecretBox } from '../platform/secrets/secret-box.ts';
import { checkSecretKey, storeFingerprintKey } from '../platform/secrets/secret-check-repository.ts';
import { loadSecretKey } from '../platform/secrets/secret-key.ts';
import { databaseFile } from '../platform/storage/database-file.ts';
import { rollUpAll } from '../records/logs/rollup-repository.ts';
import type { ArchiveInfo } from './archive/archive-contents.ts';
import { readArchive, renameDurably } from './archive/archive-file.ts';
import type { ArchivePart } from './archive/archive-parser.ts';
import { schemaAt } from './archive/archive-schema-repository.ts';
import { ArchiveTargetRepository } from './archive/archive-target-repository.ts';

export interface RestoreCommand {
  readonly from: string;
  readonly passphrase: string;
  /** Only reads the file and reports its contents. */
  readonly isCheck: boolean;
  readonly print: (line: string) => void;
  /** How long to wait for a server on the same SQLite file to stop. */
  readonly patienceMs?: number;
  /** Migrations of this version by default. */
  readonly migrations?: Migrations;
}

type RestoreTarget = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>;

/** Restores a file of `npm run export` into an empty gateway, all or nothing. Throws StartFailure. */
export async function runRestore(command: RestoreCommand, target: RestoreTarget): Promise<void> {
  const facts = await check(command);
  if (command.isCheck) {
    command.print('The file is intact and complete. Nothing was changed.');
    return;
  }
  if (target.databaseUrl === undefined) await restoreFile(command, facts, target);
  else await restorePostgres(command, facts, { ...target, databaseUrl: target.databaseUrl });
  command.print('Restore finished. All users have to log in again.');
}

const partsOf = ({ from, passphrase, migrations }: RestoreCommand) =>
  readArchive({ path: from, passphrase, schemaAt: (migration) => schemaAt(migration, migrations) });

/** Reads the whole file first, so that nothing is written if its end is damaged. */
async function check(command: RestoreCommand): Promise<ArchiveInfo> {
  const { print } = command;
  let facts: ArchiveInfo | undefined;
  let table = '';
  for await (const part of partsOf(command)) {
    if (part.kind === 'facts') {
      facts = part.facts;
      const { headgate, time } = facts;
      print(`${command.from} was created by Headgate ${headgate} at ${new Date(time * 1000).toISOString()}.`);
    }
    if (part.kind === 'table') table = part.head.table;
    if (part.kind === 'table end' && part.rows > 0) print(`${table}: ${part.rows} rows`);
  }
  if (!facts) throw new StartFailure(`${command.from} is empty.`);
  return facts;
}

/**
 * Restores into a temporary file next to the database and renames it at the end, so that an aborted restore changes
 * nothing.
 */
async function restoreFile(command: RestoreCommand, facts: ArchiveInfo, target: RestoreTarget): Promise<void> {
  const { dataDir } = target;
  prepareWritableFolder(dataDir);
  const named = databaseFile(dataDir);
  const file = existsSync(named) ? realpathSync(named) : named;
  const lock = await ProcessLock.take(file, command.patienceMs);
  try {
    await expectUnusedFile(dataDir, named);
    const secretKey = loadSecretKey(dataDir, target.secretKey);
    for (const left of readdirSync(dirname(file)).filter((name) => name.startsWith(restoring))) {
      rmSync(join(dirname(file), left), { recursive: true, force: true });
    }
    const folder = mkdtempSync(join(dirname(file), restoring));
    try {
      await fillFolder(folder, command, { facts, secretKey });
      replace(databaseFile(folder), file);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    lock.release();
  }
}

const restoring = 'restoring-';

async function expectUnusedFile(dataDir: string, file: string): Promise<void> {
  if (!existsSync(file)) return;
  const database = await openDatabase({ dataDir, databaseUrl: undefined });
  try {
    await expectUnused(new ArchiveTargetRepository(database));
  } finally {
    await database.destroy();
  }
}

async function fillFolder(dataDir: string, command: RestoreCommand, given: RestoreInput): Promise<void> {
  const database = await openDatabase({ dataDir, databaseUrl: undefined });
  try {
    const known = command.migrations;
    await migrate(database, { upTo: given.facts.migration, known });
    const inTransaction: RestoreConnection['inTransaction'] = (work) => database.transaction().execute(work);
    await restoreRows({ database, inTransaction }, command, given);
    await migrate(database, { known });
    await rollUpAll(database);
  } finally {
    await database.destroy();
  }
}

/** The WAL files of the old database must not be used with the new one. */
function replace(made: string, file: string): void {
  const opened = openSync(made, 'r+');
  fsyncSync(opened);
  closeSync(opened);
  for (const walFile of [`${file}-wal`, `${file}-shm`]) rmSync(walFile, { force: true });
  renameDurably(made, file);
}

/** Runs in one transaction, so nothing is visible before its end. */
async function restorePostgres(
  command: RestoreCommand,
  facts: ArchiveInfo,
  place: RestoreTarget & { readonly databaseUrl: string },
): Promise<void> {
  const database = await openForMigration(place.databaseUrl);
  try {
    await expectUnused(new ArchiveTargetRepository(database));
    const later = (await appliedMigrations(database)).find((name) => name > facts.migration);
    if (later !== undefined) {
      throw new StartFailure(
        'The database is from a newer version of Headgate than the file. Restore into an empty database.',
      );
    }
    const secretKey = loadSecretKey(place.dataDir, place.secretKey);
    const known = command.migrations;
    await migrate(database, { upTo: facts.migration, known });
    await database.transaction().execute(async (connection) => {
      const target = new ArchiveTargetRepository(connection);
      await target.lock();
      // A process may have started in the meantime.
      await expectUnused(target);
      await checkSecretKey(connection, new SecretBox(secretKey));
      await target.clear();
      const inTransaction: RestoreConnection['inTransaction'] = (work) => work(connection);
      await restoreRows({ database: connection, inTransaction }, command, { facts, secretKey });
    });
    await migrate(database, { known });
    await rollUpAll(database);
  } finally {
    await database.destroy();
  }
}

async function expectUnused(target: ArchiveTargetRepository): Promise<void> {
  const [node] = await target.liveNodes();
  if (node !== undefined) {
    throw new StartFailure(`A Headgate process is using this database (${node}). Stop it first. Nothing was changed.`);
  }
  const table = await target.usedTable();
  if (table === undefined) return;
  throw new StartFailure(`This gateway is not empty (table ${table}). Restore into an empty one. Nothing was changed.`);
}

interface RestoreConnection {
  readonly database: Database;
  readonly inTransaction: (work: (connection: Database) => Promise<void>) => Promise<void>;
}

interface RestoreInput {
  readonly facts: ArchiveInfo;
  readonly secretKey: string;
}

/** Writes the contents of the file and encrypts its secrets with the key of this gateway. */
async function restoreRows(
  { database, inTransaction }: RestoreConnection,
  command: RestoreCommand,
  { facts, secretKey }: RestoreInput,
) {
  const box = new SecretBox(secretKey);
  await checkSecretKey(database, box);
  let table: Extract<ArchivePart, { kind: 'table' }> | undefined;
  const write = async (connection: Database, part: ArchivePart) => {
    const target = new ArchiveTargetRepository(connection);
    if (part.kind === 'table') table = part;
    if (!table) return;
    const { head, columns } = table;
    if (part.kind === 'rows') await target.insert({ table: head.table, columns }, part.rows, (text) => box.seal(text));
    if (part.kind === 'table end') await target.setLastId(head.table, head.last_id);
  };
  for await (const part of partsOf(command)) await inTransaction((connection) => write(connection, part));
  if (facts.fingerprint_key !== box.fingerprintKey) await storeFingerprintKey(database, box, facts.fingerprint_key);
}
