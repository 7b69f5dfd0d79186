import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { readDatabaseSchema } from '../../testing/database/database-schema.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import type { MigrationCommand } from '../../testing/process/migrating-program.ts';
import { type Program, runFile } from '../../testing/process/program.ts';
import { sample } from '../../testing/sample.ts';
import { StartFailure } from '../errors/start-failure.ts';
import { currentTable } from './current-tables.ts';
import { type Database, openDatabase } from './database.ts';
import { appliedMigrations, type Migrations, migrate, migrations } from './migrate.ts';

function runMigration(database: TestDatabase, order: Partial<MigrationCommand> = {}): Program {
  return runFile('testing/migrating-program.ts', [JSON.stringify({ ...database.location, ...order })]);
}

async function withDatabase<T>({ location }: TestDatabase, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(location);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

/** Runs the migrations in this process and returns the schema. */
const migrated = (stored: TestDatabase, known?: Migrations): Promise<object> =>
  withDatabase(stored, async (database) => {
    await migrate(database, { known });
    return readDatabaseSchema(database);
  });

async function undisturbed(): Promise<{ schema: object; statements: number }> {
  await using database = await createTestDatabase();
  await using program = runMigration(database);
  const { stdout } = await program.exit;
  return { schema: await migrated(database), statements: Number.parseInt(stdout, 10) };
}

const { schema, statements } = await undisturbed();

it('the initial migration runs many statements', () => {
  expect(statements).toBeGreaterThan(50);
  expect(JSON.stringify(schema)).toContain('sessions_user');
});

const steps = Array.from({ length: statements }, (_, index) => index + 1);

it.each(sample(steps, 3))(
  '[A35.2] a migration killed after statement %i leaves the database unchanged',
  async (killAfter) => {
    await using database = await createTestDatabase();
    await using program = runMigration(database, { killAfter });
    expect(await program.exit).toMatchObject({ signal: 'SIGKILL', stdout: '' });
    await withDatabase(database, async (left) => {
      const tables = (await left.introspection.getTables()).map(({ name }) => name);
      const done = await appliedMigrations(left);
      expect(tables.includes('users'), `${tables.length} tables`).toBe(done.length > 0);
      if (done.length === 0) expect(tables).toEqual([]);
    });
    expect(await migrated(database)).toEqual(schema);
  },
);

it('migrations are listed in the order of their names', () => {
  expect(Object.keys(migrations)).toEqual(Object.keys(migrations).sort());
});

describe('concurrent processes', () => {
  it('run each migration once', async () => {
    await using database = await createTestDatabase();
    await using stack = new AsyncDisposableStack();
    const programs = [1, 2, 3].map(() => stack.use(runMigration(database, { waits: true })));
    await Promise.all(programs.map((program) => program.line(/^ready$/)));
    for (const program of programs) program.process.stdin.write('go\n');
    for (const program of programs) expect(await program.exit).toMatchObject({ code: 0, stderr: '' });
    expect(await migrated(database)).toEqual(schema);
  });

  it('run each migration once if the database does not exist yet', async () => {
    await using database = await createTestDatabase();
    await using stack = new AsyncDisposableStack();
    const programs = [1, 2, 3, 4].map(() => stack.use(runMigration(database)));
    for (const program of programs) expect(await program.exit).toMatchObject({ code: 0, stderr: '' });
    expect(await migrated(database)).toEqual(schema);
  });
});

it('a migration changes nothing if the schema is up to date', async () => {
  await using database = await createTestDatabase();
  await migrated(database);
  expect(await migrated(database)).toEqual(schema);
});

describe('a later version', () => {
  const addColumn: Migrations = {
    ...migrations,
    '9.02-fill-color': { up: async (database) => void (await sql`update options set color = 'red'`.execute(database)) },
    '9.01-color': {
      up: (database) => database.schema.alterTable('options').addColumn('color', 'text').execute(),
    },
  };

  it('a later version runs its migrations in the order of their names and keeps the rows', async () => {
    await using stored = await createTestDatabase();
    await migrated(stored);
    await withDatabase(stored, async (database) => {
      await database.insertInto('options').values({ key: 'SystemName', value: 'Mine' }).execute();
      await migrate(database, { known: addColumn });
      expect(await appliedMigrations(database)).toEqual([...Object.keys(migrations), '9.01-color', '9.02-fill-color']);
      const { rows } = await sql`select key, value, color from options`.execute(database);
      expect(rows).toMatchObject([{ key: 'SystemName', value: 'Mine', color: 'red' }]);
    });
  });

  it('[A35.2] a later version leaves the database unchanged when one of its migrations fails', async () => {
    await using stored = await createTestDatabase();
    await migrated(stored);
    const failing = { up: () => Promise.reject(new Error('no such thing')) };
    await expect(migrated(stored, { ...addColumn, '9.03-failing': failing })).rejects.toThrow(
      'The database could not be migrated (no such thing). Nothing was changed.',
    );
    expect(await withDatabase(stored, readDatabaseSchema)).toEqual(schema);
    expect(await migrated(stored)).toEqual(schema);
  });
});

it.each([
  [
    '2.0-later',
    'The database belongs to a newer version of Headgate (it has migration 2.0-later); start that version.',
  ],
  [
    '0066-stored-responses',
    'The database was created by a pre-release version of Headgate (migration 0066-stored-responses), which this version cannot migrate; use an empty database.',
  ],
])('rejects a database with migration %s and leaves it unchanged', async (name, message) => {
  await using stored = await createTestDatabase();
  await migrated(stored);
  await withDatabase(stored, async (database) => {
    if (name.startsWith('0')) await sql`delete from kysely_migration`.execute(database);
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '2030-01-01T00:00:00.000Z')`.execute(
      database,
    );
    const before = await readDatabaseSchema(database);
    const failure = await migrate(database).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartFailure);
    expect((failure as StartFailure).message).toBe(message);
    expect(await readDatabaseSchema(database)).toEqual(before);
  });
});

it('adds the rules of channels to a database of 1.0', async () => {
  await using stored = await createTestDatabase();
  await withDatabase(stored, async (database) => {
    await migrate(database, { upTo: '1.0-initial' });
    const values = {
      type: 1,
      key_sealed: '',
      key_fingerprint: '',
      status: 1,
      status_reason: '',
      name: 'old',
      weight: 0,
    };
    const totals = {
      priority: 0,
      created_time: 1,
      test_time: 0,
      response_time: 0,
      balance: 0,
      balance_updated_time: 0,
    };
    const texts = {
      base_url: '',
      other: '',
      models: 'm',
      group: 'g',
      model_mapping: '',
      config_sealed: '',
      system_prompt: '',
    };
    await database
      .insertInto('channels')
      .values({ ...values, ...totals, ...texts, used_quota: 0 })
      .execute();
    await migrate(database);
    const row = await database.selectFrom(currentTable(database, 'channels')).selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ name: 'old', rules: '' });
  });
});

it('migrates users of 1.0 to personal accounts that pay for their own tokens', async () => {
  await using stored = await createTestDatabase();
  await withDatabase(stored, async (database) => {
    await migrate(database, { upTo: '1.0-initial' });
    await sql`insert into users (id, username, role, status, created_time) values (7, 'old', 1, 1, 1)`.execute(
      database,
    );
    await sql`insert into tokens (user_id, key_hash, key_sealed, status, name, created_time)
      values (7, 'hash', '', 1, 'old', 1)`.execute(database);
    await migrate(database);
    const [user] = await database.selectFrom(currentTable(database, 'users')).select(['id', 'kind']).execute();
    const [token] = await database
      .selectFrom(currentTable(database, 'tokens'))
      .select(['user_id', 'creator_id', 'project_id', 'service_account_id'])
      .execute();
    expect(user).toEqual({ id: 7, kind: 'person' });
    expect(token).toEqual({ user_id: 7, creator_id: 0, project_id: 0, service_account_id: 0 });
  });
});
