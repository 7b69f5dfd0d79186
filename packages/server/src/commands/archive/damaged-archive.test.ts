import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import {
  type ArchiveLocation,
  archiveFolder,
  exportArchive,
  lowestScryptCost,
  passphrase,
  restoreArchive,
  withDatabase,
} from '../../testing/commands/archive-fixture.ts';
import { createMigratedDatabase, createTestDatabase } from '../../testing/database/test-database.ts';
import { sampleNumbers, writeLogs } from '../../testing/records/sample-logs.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { writeArchive } from './archive-file.ts';

const sealedBlock = 64 * 1024 + 16;

/** A file with several blocks and incompressible contents. */
async function soundFile(path: string): Promise<Buffer> {
  await using app = await startTestApp();
  const random = sampleNumbers(5);
  const noise = () => Buffer.from(Array.from({ length: 3000 }, () => Math.floor(random() * 256))).toString('base64');
  await writeLogs(
    app.database,
    Array.from({ length: 80 }, () => ({ content: noise() })),
  );
  await exportArchive(path, app);
  return readFileSync(path);
}

/** All data that a restore could change. */
async function stateOf({ location }: ArchiveLocation): Promise<object> {
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

const files = archiveFolder();
afterAll(() => files[Symbol.dispose]());
const intact = await soundFile(files.path('sound'));
const headerEnd = intact.indexOf('\n') + 1;
const blocks = Math.ceil((intact.length - headerEnd) / sealedBlock);
const blockAt = (number: number) => headerEnd + number * sealedBlock;
const header = JSON.parse(intact.subarray(0, headerEnd).toString()) as { scrypt: object };

const flipped = (position: number) => {
  const bytes = Buffer.from(intact);
  bytes[position] = (bytes[position] ?? 0) ^ 1;
  return bytes;
};
const withHeader = (given: object) =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, ...given })}\n`), intact.subarray(headerEnd)]);
const withCost = (cost: unknown) => withHeader({ scrypt: { ...header.scrypt, cost } });
const swapped = () =>
  Buffer.concat([
    intact.subarray(0, headerEnd),
    intact.subarray(blockAt(1), blockAt(2)),
    intact.subarray(headerEnd, blockAt(1)),
    intact.subarray(blockAt(2)),
  ]);

const damaged: Readonly<Record<string, () => Buffer>> = {
  'the first byte': () => flipped(0),
  'its salt': () => flipped(intact.indexOf('"salt":"') + 10),
  'the end of its first line': () => flipped(headerEnd - 1),
  'the first byte of its first block': () => flipped(headerEnd),
  'a byte within a block': () => flipped(blockAt(1) + 1000),
  'the first byte of a seal': () => flipped(blockAt(2) - 16),
  'the last byte of a seal': () => flipped(blockAt(2) - 1),
  'its last block': () => flipped(blockAt(blocks - 1) + 1),
  'its last byte': () => flipped(intact.length - 1),
  'nothing in it': () => Buffer.alloc(0),
  'its first line alone': () => intact.subarray(0, headerEnd),
  'half of its first line': () => intact.subarray(0, 40),
  'a block that is cut': () => intact.subarray(0, blockAt(1) + 500),
  'only whole blocks': () => intact.subarray(0, blockAt(2)),
  'one byte less': () => intact.subarray(0, intact.length - 1),
  'one byte more': () => Buffer.concat([intact, Buffer.from([0])]),
  'the same file after it': () => Buffer.concat([intact, intact]),
  'its blocks after it once more': () => Buffer.concat([intact, intact.subarray(headerEnd)]),
  'a block left out': () => Buffer.concat([intact.subarray(0, blockAt(1)), intact.subarray(blockAt(2))]),
  'a block twice': () => Buffer.concat([intact.subarray(0, blockAt(2)), intact.subarray(blockAt(1))]),
  'two blocks in each other’s place': swapped,
  'other contents': () => Buffer.from('SQLite format 3\0'.repeat(1000)),
  'a long text without an end': () => Buffer.alloc(1_000_000, 'x'),
  'more work than a machine has': () => withCost(2 ** 30),
  'less work than is safe': () => withCost(2),
  'a number of work that is none': () => withCost('__proto__'),
  'a word more in its first line': () => withHeader({ note: 'changed' }),
  'a later version': () => withHeader({ version: 2 }),
};

test('an intact file has several blocks and can be restored', async () => {
  expect(blocks).toBeGreaterThan(3);
  await using target = await createMigratedDatabase();
  const lines = await restoreArchive(files.path('sound'), target);
  expect(lines).toContain('logs: 80 rows');
});

describe('[A48.1] rejected archive', async () => {
  const target = await createTestDatabase();
  afterAll(() => target.drop());
  const before = await stateOf(target);

  test('a damaged file is rejected with a sentence, and nothing is changed', async () => {
    for (const [name, damage] of Object.entries(damaged)) {
      const path = files.path('damaged');
      writeFileSync(path, damage());
      await expect(restoreArchive(path, target), name).rejects.toBeInstanceOf(StartFailure);
      expect(await stateOf(target), name).toEqual(before);
    }
  });

  test('a wrong passphrase or a missing file changes nothing', async () => {
    await expect(restoreArchive(files.path('sound'), target, { passphrase: `${passphrase} ` })).rejects.toThrow(
      'The passphrase is wrong, or the start of the file is damaged. Nothing was changed.',
    );
    await expect(restoreArchive(files.path('none'), target)).rejects.toThrow(
      `${files.path('none')} cannot be read (ENOENT).`,
    );
    expect(await stateOf(target)).toEqual(before);
  });
});

const compressed = Buffer.from('28b52ffd', 'hex');

test('[A48.2] a file reveals none of its contents without the passphrase', async () => {
  const path = files.path('small');
  const text = 'one line, too short to be made smaller';
  await writeArchive(textOf([text]), { path, passphrase, cost: lowestScryptCost });
  for (const file of [intact, readFileSync(path)]) {
    const body = file.subarray(file.indexOf('\n') + 1);
    expect(body.subarray(0, compressed.length)).not.toEqual(compressed);
    for (const word of ['root', 'argon2', 'password_hash', 'migration', text]) expect(body.includes(word)).toBe(false);
  }
  await writeArchive(textOf([text]), { path: `${path}er`, passphrase, cost: lowestScryptCost });
  // The same text with the same passphrase produces a different file.
  expect(readFileSync(path).subarray(-40)).not.toEqual(readFileSync(`${path}er`).subarray(-40));
});

async function* textOf(values: readonly unknown[]): AsyncGenerator<string> {
  for (const value of values) yield `${JSON.stringify(value)}\n`;
}
