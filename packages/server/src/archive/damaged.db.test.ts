import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { lastMigration } from '../db/migrate.ts';
import { serveDatabase } from '../db/served-database.ts';
import { StartFailure } from '../start-failure.ts';
import {
  contentsOf,
  exportTo,
  fileFolder,
  lowestCost,
  type Place,
  passphrase,
  restoreFrom,
  withDatabase,
} from '../testing/archive-scene.ts';
import { sampleNumbers, writeLogs } from '../testing/sample-logs.ts';
import { startTestApp } from '../testing/test-app.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { writeArchive } from './archive-file.ts';
import { schemaAt } from './archive-schema-repository.ts';
import { archivedTables } from './archived-tables.ts';

const sealedBlock = 64 * 1024 + 16;

/** A file of a few blocks, whose contents cannot be made smaller. */
async function soundFile(path: string): Promise<Buffer> {
  await using app = await startTestApp();
  const random = sampleNumbers(5);
  const noise = () => Buffer.from(Array.from({ length: 3000 }, () => Math.floor(random() * 256))).toString('base64');
  await writeLogs(
    app.database,
    Array.from({ length: 80 }, () => ({ content: noise() })),
  );
  await exportTo(path, app);
  return readFileSync(path);
}

/** Everything in a place that a restore could have changed. */
async function stateOf({ location }: Place): Promise<object> {
  const files = readdirSync(location.dataDir).sort();
  const hashes = files.map((name) => {
    const path = `${location.dataDir}/${name}`;
    return [name, createHash('sha256').update(readFileSync(path)).digest('hex')];
  });
  const tables =
    location.databaseUrl === undefined
      ? []
      : await withDatabase({ location }, (database) => database.introspection.getTables());
  return { hashes, tables: tables.map(({ name }) => name) };
}

const files = fileFolder();
afterAll(() => files[Symbol.dispose]());
const sound = await soundFile(files.path('sound'));
const headerEnd = sound.indexOf('\n') + 1;
const blocks = Math.ceil((sound.length - headerEnd) / sealedBlock);
const blockAt = (number: number) => headerEnd + number * sealedBlock;
const header = JSON.parse(sound.subarray(0, headerEnd).toString()) as { scrypt: object };

const flipped = (position: number) => {
  const bytes = Buffer.from(sound);
  bytes[position] = (bytes[position] ?? 0) ^ 1;
  return bytes;
};
const withHeader = (given: object) =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, ...given })}\n`), sound.subarray(headerEnd)]);
const withCost = (cost: unknown) => withHeader({ scrypt: { ...header.scrypt, cost } });
const swapped = () =>
  Buffer.concat([
    sound.subarray(0, headerEnd),
    sound.subarray(blockAt(1), blockAt(2)),
    sound.subarray(headerEnd, blockAt(1)),
    sound.subarray(blockAt(2)),
  ]);

const damaged: Readonly<Record<string, () => Buffer>> = {
  'the first byte': () => flipped(0),
  'its salt': () => flipped(sound.indexOf('"salt":"') + 10),
  'the end of its first line': () => flipped(headerEnd - 1),
  'the first byte of its first block': () => flipped(headerEnd),
  'a byte within a block': () => flipped(blockAt(1) + 1000),
  'the first byte of a seal': () => flipped(blockAt(2) - 16),
  'the last byte of a seal': () => flipped(blockAt(2) - 1),
  'its last block': () => flipped(blockAt(blocks - 1) + 1),
  'its last byte': () => flipped(sound.length - 1),
  'nothing in it': () => Buffer.alloc(0),
  'its first line alone': () => sound.subarray(0, headerEnd),
  'half of its first line': () => sound.subarray(0, 40),
  'a block that is cut': () => sound.subarray(0, blockAt(1) + 500),
  'only whole blocks': () => sound.subarray(0, blockAt(2)),
  'one byte less': () => sound.subarray(0, sound.length - 1),
  'one byte more': () => Buffer.concat([sound, Buffer.from([0])]),
  'the same file after it': () => Buffer.concat([sound, sound]),
  'its blocks after it once more': () => Buffer.concat([sound, sound.subarray(headerEnd)]),
  'a block left out': () => Buffer.concat([sound.subarray(0, blockAt(1)), sound.subarray(blockAt(2))]),
  'a block twice': () => Buffer.concat([sound.subarray(0, blockAt(2)), sound.subarray(blockAt(1))]),
  'two blocks in each other’s place': swapped,
  'other contents': () => Buffer.from('SQLite format 3\0'.repeat(1000)),
  'a long text without an end': () => Buffer.alloc(1_000_000, 'x'),
  'more work than a machine has': () => withCost(2 ** 30),
  'less work than is safe': () => withCost(2),
  'a number of work that is none': () => withCost('__proto__'),
  'a word more in its first line': () => withHeader({ note: 'changed' }),
  'a later version': () => withHeader({ version: 2 }),
};

test('the file is one of several blocks, and is restored when it is sound', async () => {
  expect(blocks).toBeGreaterThan(3);
  await using target = await createTestDatabase();
  const lines = await restoreFrom(files.path('sound'), target);
  expect(lines).toContain('logs: 80 rows');
});

test.each(Object.keys(damaged))('[A48.1] a file with %s is refused in words, and nothing is touched', async (name) => {
  await using target = await createTestDatabase();
  const before = await stateOf(target);
  const path = files.path('damaged');
  writeFileSync(path, damaged[name]?.() ?? '');
  await expect(restoreFrom(path, target)).rejects.toBeInstanceOf(StartFailure);
  expect(await stateOf(target)).toEqual(before);
});

test('[A48.1] nor with another passphrase, nor when there is no file', async () => {
  await using target = await createTestDatabase();
  const before = await stateOf(target);
  await expect(restoreFrom(files.path('sound'), target, { passphrase: `${passphrase} ` })).rejects.toThrow(
    'The passphrase is wrong, or the file is damaged at its beginning. Nothing was changed.',
  );
  await expect(restoreFrom(files.path('none'), target)).rejects.toThrow(
    `${files.path('none')} cannot be read (ENOENT).`,
  );
  expect(await stateOf(target)).toEqual(before);
});

const compressed = Buffer.from('28b52ffd', 'hex');

test('[A48.2] without its passphrase nothing that it holds can be read in a file', async () => {
  const path = files.path('small');
  const text = 'one line, too short to be made smaller';
  await writeArchive(textOf([text]), { path, passphrase, cost: lowestCost });
  for (const file of [sound, readFileSync(path)]) {
    const body = file.subarray(file.indexOf('\n') + 1);
    expect(body.subarray(0, compressed.length)).not.toEqual(compressed);
    for (const word of ['root', 'argon2', 'password_hash', 'migration', text]) expect(body.includes(word)).toBe(false);
  }
  await writeArchive(textOf([text]), { path: `${path}er`, passphrase, cost: lowestCost });
  // The same text under the same passphrase is another file.
  expect(readFileSync(path).subarray(-40)).not.toEqual(readFileSync(`${path}er`).subarray(-40));
});

/** Lines that whoever knows the passphrase may have made. */
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
/** A user with some columns as given, where one may stand. */
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
  'a later migration': [{ ...facts, migration: '9999-later' }, ...tables, end],
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

describe('[A48.3] a file made by somebody who knows the passphrase', () => {
  test('is restored when all in it is right', async () => {
    const path = files.path('made');
    await writeArchive(textOf([facts, ...tables, end]), { path, passphrase, cost: lowestCost });
    await using target = await createTestDatabase();
    await restoreFrom(path, target);
    expect((await contentsOf(target))['users']).toEqual([]);
  });

  test.each(Object.keys(hostile))('is refused with %s, and nothing is touched', async (name) => {
    const path = files.path(`hostile ${name.replaceAll(/\W/g, '-')}`);
    await writeArchive(textOf(hostile[name] ?? []), { path, passphrase, cost: lowestCost });
    await using target = await createTestDatabase();
    await (await serveDatabase(target.location)).close();
    const before = await contentsOf(target);
    await expect(restoreFrom(path, target)).rejects.toThrow();
    expect(await contentsOf(target)).toEqual(before);
    expect(readdirSync(target.location.dataDir).filter((each) => each.startsWith('restoring'))).toEqual([]);
  });
});

async function* textOf(values: readonly unknown[]): AsyncGenerator<string> {
  for (const value of values) yield `${JSON.stringify(value)}\n`;
}
