import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { defaultRoot } from '@headgate/contract';
import pg from 'pg';
import { inject } from 'vitest';
import { createFirstRoot } from '../../accounts/users/first-root.ts';
import { UserRepository } from '../../accounts/users/user-repository.ts';
import type { DatabaseLocation } from '../../platform/db/database.ts';
import { openServerDatabase } from '../../platform/db/server-database.ts';
import { databaseFile } from '../../platform/storage/database-file.ts';
import { fastPasswordHash } from '../accounts/fast-password-hash.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Database kind of this test run. */
    database: 'sqlite' | 'postgres';
    /** Superuser URL of the server in which tests create databases. */
    postgresUrl: string;
  }
}

/** An empty database of the kind used in this run. */
export interface TestDatabase {
  readonly location: DatabaseLocation;
  /** The location as environment variables for a spawned server. */
  readonly environment: Readonly<Record<string, string>>;
  drop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

type DatabaseKind = 'sqlite' | 'postgres';

/** Creates an empty database. PostgreSQL is available only in PostgreSQL runs. */
export async function createTestDatabase(kind: DatabaseKind = inject('database')): Promise<TestDatabase> {
  return testDatabase(kind === 'postgres' ? await createPostgresDatabase() : undefined);
}

/**
 * Creates a database with the current schema and the first root, copied from a template that is migrated once per
 * worker.
 */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  template ??= createTemplate();
  const made = await template;
  if ('name' in made) return testDatabase(await createPostgresDatabase(made.name));
  const copy = testDatabase(undefined);
  writeFileSync(databaseFile(copy.location.dataDir), made.file, { mode: 0o600 });
  return copy;
}

/** Name of a PostgreSQL database, which is deleted with its server, or the contents of a SQLite file. */
type Template = { readonly name: string } | { readonly file: Buffer };

let template: Promise<Template> | undefined;

async function createTemplate(): Promise<Template> {
  const { location, drop } = await createTestDatabase();
  const { dataDir, databaseUrl } = location;
  try {
    const { database, close } = await openServerDatabase(location);
    try {
      await createFirstRoot(new UserRepository(database), undefined);
      await database
        .updateTable('users')
        .set({ password_hash: fastPasswordHash(defaultRoot.password) })
        .execute();
    } finally {
      await close();
    }
  } catch (error) {
    await drop();
    throw error;
  }
  const made =
    databaseUrl === undefined ? { file: readFileSync(databaseFile(dataDir)) } : { name: databaseName(databaseUrl) };
  rmSync(dataDir, { recursive: true });
  return made;
}

function testDatabase(databaseUrl: string | undefined): TestDatabase {
  const dataDir = makeTemporaryFolder('headgate-test-');
  const drop = async () => {
    if (databaseUrl !== undefined) await dropPostgresDatabase(databaseUrl);
    rmSync(dataDir, { recursive: true, force: true });
  };
  return {
    location: { dataDir, databaseUrl },
    environment: { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) },
    drop,
    [Symbol.asyncDispose]: drop,
  };
}

async function createPostgresDatabase(templateName = 'template1'): Promise<string> {
  const name = `headgate_${randomBytes(8).toString('hex')}`;
  // Copying files is faster than writing every page to the WAL.
  await administer(`create database ${name} template ${templateName} strategy file_copy`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

const databaseName = (url: string) => new URL(url).pathname.slice(1);

async function dropPostgresDatabase(url: string): Promise<void> {
  await administer(`drop database if exists ${databaseName(url)} with (force)`);
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
