import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { startServer } from '../../testing/process/program.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { StartFailure } from '../errors/start-failure.ts';
import { loadSecretKey } from './secret-key.ts';

const directory = mkdtempSync(join(tmpdir(), 'headgate-secret-key-'));
afterAll(() => rmSync(directory, { recursive: true }));

const newDirectory = () => mkdtempSync(join(directory, 'data-'));

describe('a generated key', () => {
  test('a generated key is created once, readable only by its owner, and then reused', () => {
    const dataDir = newDirectory();
    const key = loadSecretKey(dataDir, undefined);
    expect(key).toMatch(/^[\w-]{43}$/);
    const file = join(dataDir, 'secret.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(key);
    expect(loadSecretKey(dataDir, undefined)).toBe(key);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
  });

  test('differs between directories', () => {
    expect(loadSecretKey(newDirectory(), undefined)).not.toBe(loadSecretKey(newDirectory(), undefined));
  });

  test('a generated key is created with its directory, readable only by its owner', () => {
    const dataDir = join(newDirectory(), 'not', 'there');
    expect(loadSecretKey(dataDir, undefined)).toMatch(/^[\w-]{43}$/);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test('accepts a manually created file with a trailing line break', () => {
    const dataDir = newDirectory();
    writeFileSync(join(dataDir, 'secret.key'), 'a key of our own making\n');
    expect(loadSecretKey(dataDir, undefined)).toBe('a key of our own making');
  });

  test.each(['', '\n', 'short'])('rejects a damaged file with the content %j', (content) => {
    const dataDir = newDirectory();
    const file = join(dataDir, 'secret.key');
    writeFileSync(file, content);
    expect(() => loadSecretKey(dataDir, undefined)).toThrow(StartFailure);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  test('reports a data directory that is actually a file', () => {
    const file = join(newDirectory(), 'file');
    writeFileSync(file, '');
    expect(() => loadSecretKey(file, undefined)).toThrow(
      /secret\.key cannot be read or created \(EEXIST: a file with this name exists\)/,
    );
  });
});

test('a configured key is used without creating a file', () => {
  const dataDir = newDirectory();
  expect(loadSecretKey(dataDir, 'configured by hand')).toBe('configured by hand');
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
});

describe('a server', () => {
  test('a server with the wrong SECRET_KEY exits with a one-sentence error', async () => {
    await using database = await createMigratedDatabase();
    await (await startTestApp({ on: database, config: { secretKey: 'the right key for it' } })).close();
    const environment = { ...database.environment, SECRET_KEY: 'the wrong key for it' };
    await using server = startServer(environment, database.location.dataDir);
    const stderr =
      'headgate: SECRET_KEY (or secret.key in DATA_DIR) does not match the secrets in this database; every node needs the same key.\n';
    expect(await server.exit).toEqual({ code: 1, signal: null, stdout: '', stderr });
  });

  test('a server with a SECRET_KEY that is too short does not start', () => {
    expect(() => readConfig({ SECRET_KEY: 'x'.repeat(15) })).toThrow(
      new StartFailure('SECRET_KEY must have at least 16 characters.'),
    );
    expect(readConfig({ SECRET_KEY: 'x'.repeat(16) }).secretKey).toBe('x'.repeat(16));
  });
});
