import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { DatabaseLocation } from '../db/database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database this run of the tests is for. */
    database: 'sqlite' | 'postgres';
    /** A superuser's address of the server in which tests make their own databases. */
    postgresUrl: string;
  }
}

/** An empty database of its own, of the kind this run is for. */
export interface TestDatabase {
  readonly location: DatabaseLocation;
  /** The same as variables for a spawned server. */
  readonly environment: Readonly<Record<string, string>>;
  drop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

type DatabaseKind = 'sqlite' | 'postgres';

/** The other kind than the run's is there when this is a run for PostgreSQL. */
export async function createTestDatabase(kind: DatabaseKind = inject('database')): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-test-'));
  const databaseUrl = kind === 'postgres' ? await createPostgresDatabase() : undefined;
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

async function createPostgresDatabase(): Promise<string> {
  const name = `headgate_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function dropPostgresDatabase(url: string): Promise<void> {
  await administer(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
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
