import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { schemaOf } from '../../testing/database/schema-of.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import type { MigratingOrder } from '../../testing/process/migrating-program.ts';
import { type Program, runFile } from '../../testing/process/program.ts';
import { sample } from '../../testing/sample.ts';
import { StartFailure } from '../errors/start-failure.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

function runMigration(database: TestDatabase, order: Partial<MigratingOrder> = {}): Program {
  return runFile('testing/migrating-program.ts', [JSON.stringify({ ...database.location, ...order })]);
}

/** Migrates here and tells what came of it. */
async function migrated(location: TestDatabase['location']): Promise<object> {
  const database = await openDatabase(location);
  try {
    await migrate(database);
    return await schemaOf(database);
  } finally {
    await database.destroy();
  }
}

async function undisturbed(): Promise<{ schema: object; statements: number }> {
  await using database = await createTestDatabase();
  await using program = runMigration(database);
  const { stdout } = await program.exit;
  return { schema: await migrated(database.location), statements: Number.parseInt(stdout, 10) };
}

const { schema, statements } = await undisturbed();

test('the undisturbed migration is one to be disturbed', () => {
  expect(statements).toBeGreaterThan(10);
  expect(JSON.stringify(schema)).toContain('sessions_user');
});

const steps = Array.from({ length: statements }, (_, index) => index + 1);

test.each(sample(steps, 3))('[A35.2] completes a migration that was killed after statement %i', async (killAfter) => {
  await using database = await createTestDatabase();
  await using program = runMigration(database, { killAfter });
  expect(await program.exit).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  expect(await migrated(database.location)).toEqual(schema);
});

describe('several processes at once', () => {
  test('all succeed', async () => {
    await using database = await createTestDatabase();
    await using stack = new AsyncDisposableStack();
    const programs = [1, 2, 3].map(() => stack.use(runMigration(database, { waits: true })));
    await Promise.all(programs.map((program) => program.line(/^ready$/)));
    for (const program of programs) program.process.stdin.write('go\n');
    for (const program of programs) expect(await program.exit).toMatchObject({ code: 0, stderr: '' });
    expect(await migrated(database.location)).toEqual(schema);
  });

  test('also when they open a database that is not there yet', async () => {
    await using database = await createTestDatabase();
    await using stack = new AsyncDisposableStack();
    const programs = [1, 2, 3, 4].map(() => stack.use(runMigration(database)));
    for (const program of programs) expect(await program.exit).toMatchObject({ code: 0, stderr: '' });
    expect(await migrated(database.location)).toEqual(schema);
  });
});

test('a second migration changes nothing', async () => {
  await using database = await createTestDatabase();
  await migrated(database.location);
  expect(await migrated(database.location)).toEqual(schema);
});

test('a database of a newer program is refused with one sentence and left as it is', async () => {
  await using testDatabase = await createTestDatabase();
  await migrated(testDatabase.location);
  const database = await openDatabase(testDatabase.location);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00.000Z')`.execute(
    database,
  );
  const before = await schemaOf(database);
  const failure = await migrate(database).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartFailure);
  expect((failure as StartFailure).message).toBe(
    'The database belongs to a newer version of Headgate (it has migration 9999-later); start that version.',
  );
  expect(await schemaOf(database)).toEqual(before);
  await database.destroy();
});
