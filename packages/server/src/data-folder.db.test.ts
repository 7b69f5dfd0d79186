import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { startServer } from './testing/program.ts';
import { createTestDatabase } from './testing/test-database.ts';

/** In the data folder lies the database or, with PostgreSQL, the key alone. */
const sentence =
  inject('database') === 'sqlite'
    ? (reason: string) => `DATA_DIR \\S+ cannot be written \\(${reason}\\)\\.`
    : (reason: string) =>
        `The secret key \\S+ cannot be read or made \\(${reason}\\); set SECRET_KEY or mend DATA_DIR\\.`;

async function expectRefused(environment: Readonly<Record<string, string>>, words: string): Promise<void> {
  await using server = startServer(environment);
  expect(await server.exit).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`^headgate: ${words}\\n$`)),
  });
}

describe('[A60.4] a data folder that cannot be made or written ends the start in one sentence', () => {
  test.each([
    ['a file', 'file', 'EEXIST: a file is in its place'],
    ['below a file', 'file/below/it', 'ENOTDIR: a file is in the place of a folder above it'],
    ['a link that leads nowhere', 'nowhere', 'EEXIST: a file is in its place'],
    ['below such a link', 'nowhere/below', 'EEXIST: a file is in its place'],
    ['below a link to itself', 'circle/below', 'ELOOP: its links lead in a circle'],
  ])('%s', async (_, name, reason) => {
    await using database = await createTestDatabase();
    const { dataDir } = database.location;
    writeFileSync(join(dataDir, 'file'), 'kept');
    symlinkSync(join(dataDir, 'not-there'), join(dataDir, 'nowhere'));
    symlinkSync(join(dataDir, 'circle'), join(dataDir, 'circle'));
    await expectRefused({ ...database.environment, DATA_DIR: join(dataDir, name) }, sentence(reason));
    expect(readFileSync(join(dataDir, 'file'), 'utf8')).toBe('kept');
  });

  // Nobody adds to these, not even root; what a system says of it differs.
  test.each(['/proc/x', '/proc/x/y/z', '/sys/x', '/dev/null/x'])('%s', async (folder) => {
    await using database = await createTestDatabase();
    await expectRefused({ ...database.environment, DATA_DIR: folder }, sentence('E[A-Z]+: .+'));
  });
});
