import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { lastMigration } from '../../platform/db/migrate.ts';
import {
  archiveContents,
  archiveFolder,
  lowestScryptCost,
  passphrase,
  restoreArchive,
} from '../../testing/commands/archive-fixture.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { writeArchive } from './archive-file.ts';
import { schemaAt } from './archive-schema-repository.ts';
import { archivedTables } from './archived-tables.ts';

const files = archiveFolder();
afterAll(() => files[Symbol.dispose]());

/** The lines of an empty archive. */
async function lines() {
  const schema = (await schemaAt(lastMigration)) ?? new Map();
  const facts = { headgate: '1', migration: lastMigration, time: 1, logs_since: null, fingerprint_key: 'a2V5' };
  const columnsOf = (table: string): { name: string; kind: string; isNullable: boolean }[] => schema.get(table) ?? [];
  const head = (table: string) => ({ table, columns: columnsOf(table).map(({ name }) => name), last_id: 0 });
  const all = archivedTables.map((table) => [head(table), { rows: 0 }]);
  return { facts, all, head, columnsOf, end: { tables: all.length, all_rows: 0 } };
}

const given = await lines();
const { facts, all, end } = given;
const tables = all.flat();
/** A user row with the given columns. */
const userRow = (columns: Readonly<Record<string, unknown>>) =>
  given.columnsOf('users').map(({ name, kind }) => columns[name] ?? (kind === 'text' ? 'x' : 1));
const withUsers = (...rows: unknown[]) => [
  facts,
  given.head('users'),
  ...rows,
  { rows: rows.length },
  ...all.slice(1).flat(),
  { ...end, all_rows: rows.length },
];
const without = (table: string) => all.filter(([first]) => (first as { table: string }).table !== table).flat();

const hostile: Readonly<Record<string, readonly unknown[]>> = {
  nothing: [],
  'no end': [facts, ...tables],
  'no beginning': [...tables, end],
  'something after its end': [facts, ...tables, end, end],
  'a table less': [facts, ...without('logs'), { ...end, tables: all.length - 1 }],
  'a table twice': [facts, ...tables, given.head('users'), { rows: 0 }, end],
  'a table of the database itself': [
    facts,
    { table: 'sqlite_schema', columns: ['sql'], last_id: 0 },
    { rows: 0 },
    ...tables,
    end,
  ],
  'a table that does not travel': [
    facts,
    { table: 'sessions', columns: ['id_hash'], last_id: 0 },
    { rows: 0 },
    ...tables,
    end,
  ],
  'a table of no table': [facts, { table: '__proto__', columns: ['id'], last_id: 0 }, { rows: 0 }, ...tables, end],
  'a column less': [facts, { ...given.head('meta'), columns: ['key'] }, { rows: 0 }, end],
  'a column twice': [facts, { ...given.head('meta'), columns: ['key', 'key'] }, { rows: 0 }, end],
  'a column of another name': [facts, { ...given.head('meta'), columns: ['key', 'value"; drop'] }, { rows: 0 }, end],
  'fewer rows than it says': [facts, given.head('users'), { rows: 1 }, ...all.slice(1).flat(), { ...end, all_rows: 1 }],
  'a short row': withUsers([1]),
  'a row of text where numbers stand': withUsers(userRow({ quota: '1' })),
  'a number that is not whole': withUsers(userRow({ quota: 1.5 })),
  'a number beyond what can be counted': withUsers(userRow({ quota: 2 ** 60 })),
  'a text with a null character': withUsers(userRow({ username: 'a\0b' })),
  'a value of another kind': withUsers(userRow({ username: { secret: 'a', bytes: 'b' } })),
  'a list for a value': withUsers(userRow({ username: ['a'] })),
  'nothing where something stands': withUsers(userRow({ id: 1 }).map((cell, index) => (index === 1 ? null : cell))),
  'a later migration': [{ ...facts, migration: '2.0-later' }, ...tables, end],
  'a migration of no migration': [{ ...facts, migration: 'constructor' }, ...tables, end],
  'a last number below zero': [
    facts,
    { ...given.head('users'), last_id: -1 },
    { rows: 0 },
    ...all.slice(1).flat(),
    end,
  ],
  'two of the same name': withUsers(userRow({ id: 1 }), userRow({ id: 2 })),
};

describe('[A48.3] hostile archive with a valid passphrase', () => {
  test('an archive with a valid passphrase is restored if all of it is valid', async () => {
    const path = files.path('made');
    await writeArchive(textOf([facts, ...tables, end]), { path, passphrase, cost: lowestScryptCost });
    await using target = await createMigratedDatabase();
    await restoreArchive(path, target);
    expect((await archiveContents(target))['users']).toEqual([]);
  });

  test('an archive with a valid passphrase is rejected if any of it is invalid, and nothing is changed', async () => {
    await using target = await createMigratedDatabase();
    const before = await archiveContents(target);
    for (const [name, values] of Object.entries(hostile)) {
      const path = files.path(`hostile ${name.replaceAll(/\W/g, '-')}`);
      await writeArchive(textOf(values), { path, passphrase, cost: lowestScryptCost });
      await expect(restoreArchive(path, target), name).rejects.toThrow();
      expect(await archiveContents(target), name).toEqual(before);
      const left = readdirSync(target.location.dataDir).filter((each) => each.startsWith('restoring'));
      expect(left, name).toEqual([]);
    }
  });
});

async function* textOf(values: readonly unknown[]): AsyncGenerator<string> {
  for (const value of values) yield `${JSON.stringify(value)}\n`;
}
