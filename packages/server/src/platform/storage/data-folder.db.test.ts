import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { startServer } from '../../testing/process/program.ts';
import { startTestApp } from '../../testing/test-app.ts';

/** The data folder contains the database or, on PostgreSQL, only the secret key. */
const sentence =
  inject('database') === 'sqlite'
    ? (reason: string) => `DATA_DIR \\S+ cannot be written \\(${reason}\\)\\.`
    : (reason: string) =>
        `The secret key \\S+ cannot be read or created \\(${reason}\\); set SECRET_KEY or fix DATA_DIR\\.`;

const isFile = 'EEXIST: a file with this name exists';

describe('[A60.4] data folder that cannot be created or written', () => {
  test('an unusable data folder fails the start with one sentence: files and links in the path, read-only file systems', async () => {
    await using database = await createMigratedDatabase();
    const { dataDir, databaseUrl } = database.location;
    writeFileSync(join(dataDir, 'file'), 'kept');
    symlinkSync(join(dataDir, 'not-there'), join(dataDir, 'nowhere'));
    symlinkSync(join(dataDir, 'circle'), join(dataDir, 'circle'));
    const cases = [
      [join(dataDir, 'file'), isFile],
      [join(dataDir, 'file/below/it'), 'ENOTDIR: a parent folder is a file'],
      [join(dataDir, 'nowhere'), isFile],
      [join(dataDir, 'nowhere/below'), isFile],
      [join(dataDir, 'circle/below'), 'ELOOP: its symbolic links form a loop'],
      // Even root cannot write here; the error differs between operating systems.
      ...['/proc/x', '/proc/x/y/z', '/sys/x', '/dev/null/x'].map((folder) => [folder, 'E[A-Z]+: .+']),
    ];
    for (const [folder = '', reason = ''] of cases) {
      const starting = startTestApp({ on: { location: { dataDir: folder, databaseUrl } } });
      await expect(starting, folder).rejects.toThrow(new RegExp(`^${sentence(reason)}$`));
    }
    expect(readFileSync(join(dataDir, 'file'), 'utf8')).toBe('kept');
  });

  test('the program prints the sentence', async () => {
    await using database = await createMigratedDatabase();
    const folder = join(database.location.dataDir, 'file');
    writeFileSync(folder, '');
    await using server = startServer({ ...database.environment, DATA_DIR: folder });
    expect(await server.exit).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^headgate: ${sentence(isFile)}\\n$`)),
    });
  });
});
