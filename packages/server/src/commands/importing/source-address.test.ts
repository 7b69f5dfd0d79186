import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { importFrom, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { runFile } from '../../testing/process/program.ts';
import { readSource } from '../secret-input.ts';

describe('[A54.14] invalid source address', () => {
  test.each([
    'somebody:hidden@tcp(127.0.0.1:1/one',
    'somebody:hidden@tcp[127.0.0.1]/one',
    'mariadb:somebody:hidden@127.0.0.1/one',
    'sqlserver://somebody:hidden@127.0.0.1/one',
    'host=127.0.0.1 user=somebody password=hidden dbname=one',
    'mysql://somebody:hidden%@127.0.0.1:1/one',
    'postgres://somebody:hidden%@127.0.0.1:1/one',
    'postgres://me@somebody:12?hidden@127.0.0.1/one',
    'postgres://me@somebody:12/hidden@127.0.0.1/one',
    ':hidden@tcp(127.0.0.1)/one',
    'somebody:hidden@unix()/one',
  ])('an invalid address is rejected without revealing its password: %s', async (path) => {
    await using stored = await createMigratedDatabase();
    const failure = await importFrom({ path }, stored).then(
      () => new Error('It was taken.'),
      (error: Error) => error,
    );
    expect(failure.name).toBe('StartFailure');
    expect(failure.message).not.toMatch(/hid|somebody|12/);
  });
});

describe('[A54.14] source address outside the command line', () => {
  const gateway = () =>
    new SourceDatabase('one-api').add('users', {
      id: 1,
      username: 'root',
      role: 100,
      password: sourcePassword.fastPasswordHash,
    });
  const ended = { code: 0, stderr: '', stdout: expect.stringContaining('users: 1 read, 1 to import') };

  test('the source address can be set in the environment', async () => {
    const { importFrom } = readConfig({ IMPORT_FROM: '/some/one-api.db' });
    expect(await readSource(undefined, importFrom)).toBe('/some/one-api.db');
  });

  test('the source address can be in a file that only its owner can read', async () => {
    using source = gateway();
    await using stored = await createMigratedDatabase();
    const folder = stored.location.dataDir;
    writeFileSync(join(folder, '.env'), `IMPORT_FROM=${source.path}\n`, { mode: 0o600 });
    const options = { environment: { ...stored.environment }, workingDirectory: folder };
    await using program = runFile('import.ts', ['--dry-run'], options);
    expect(await program.exit).toMatchObject(ended);
  });

  test('the source address can be read from standard input', async () => {
    using source = gateway();
    await using stored = await createMigratedDatabase();
    const environment = { ...stored.environment, IMPORT_FROM: '/nowhere' };
    await using program = runFile('import.ts', ['--from', '-', '--dry-run'], { environment });
    program.process.stdin.end(`${source.path}\n`);
    expect(await program.exit).toMatchObject(ended);
  });
});
