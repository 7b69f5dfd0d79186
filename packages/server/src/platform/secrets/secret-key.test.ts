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

describe('a key that nobody configured', () => {
  test('is made once, for its owner alone, and stays', () => {
    const dataDir = newDirectory();
    const key = loadSecretKey(dataDir, undefined);
    expect(key).toMatch(/^[\w-]{43}$/);
    const file = join(dataDir, 'secret.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(key);
    expect(loadSecretKey(dataDir, undefined)).toBe(key);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
  });

  test('is another one elsewhere', () => {
    expect(loadSecretKey(newDirectory(), undefined)).not.toBe(loadSecretKey(newDirectory(), undefined));
  });

  test('is made with its directory, which only its owner may read', () => {
    const dataDir = join(newDirectory(), 'not', 'there');
    expect(loadSecretKey(dataDir, undefined)).toMatch(/^[\w-]{43}$/);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test('may have been put there by hand, with a line end', () => {
    const dataDir = newDirectory();
    writeFileSync(join(dataDir, 'secret.key'), 'a key of our own making\n');
    expect(loadSecretKey(dataDir, undefined)).toBe('a key of our own making');
  });

  test.each(['', '\n', 'short'])('is not the %j of a damaged file', (content) => {
    const dataDir = newDirectory();
    const file = join(dataDir, 'secret.key');
    writeFileSync(file, content);
    expect(() => loadSecretKey(dataDir, undefined)).toThrow(StartFailure);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  test('has nowhere to lie when the data directory is a file', () => {
    const file = join(newDirectory(), 'file');
    writeFileSync(file, '');
    expect(() => loadSecretKey(file, undefined)).toThrow(
      /secret\.key cannot be read or made \(EEXIST: a file is in its place\)/,
    );
  });
});

test('a configured key is used as it is, and no file is made', () => {
  const dataDir = newDirectory();
  expect(loadSecretKey(dataDir, 'configured by hand')).toBe('configured by hand');
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
});

describe('a server', () => {
  test('with the wrong SECRET_KEY exits with one sentence', async () => {
    await using database = await createMigratedDatabase();
    await (await startTestApp({ on: database, config: { secretKey: 'the right key for it' } })).close();
    const environment = { ...database.environment, SECRET_KEY: 'the wrong key for it' };
    await using server = startServer(environment, database.location.dataDir);
    const stderr =
      'headgate: SECRET_KEY (or secret.key in DATA_DIR) is not the one that sealed the secrets in this database; every node needs the same.\n';
    expect(await server.exit).toEqual({ code: 1, signal: null, stdout: '', stderr });
  });

  test('with a SECRET_KEY that is too short does not start', () => {
    expect(() => readConfig({ SECRET_KEY: 'x'.repeat(15) })).toThrow(
      new StartFailure('SECRET_KEY must have at least 16 characters.'),
    );
    expect(readConfig({ SECRET_KEY: 'x'.repeat(16) }).secretKey).toBe('x'.repeat(16));
  });
});
