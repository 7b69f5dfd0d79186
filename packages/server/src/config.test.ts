import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { StartFailure } from './start-failure.ts';

test('nothing is needed', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    dataDir: resolve('data'),
    databaseUrl: undefined,
    secretKey: undefined,
    trustedProxies: [],
    logLevel: 'info',
    publicUrl: undefined,
    rootPassword: undefined,
  });
});

test('everything can be set', () => {
  expect(
    readConfig({
      HOST: '::',
      PORT: '8080',
      DATA_DIR: '/var/lib/headgate',
      DATABASE_URL: 'postgres://gateway@db/headgate',
      SECRET_KEY: 'sixteen letters!',
      TRUSTED_PROXIES: ' 10.0.0.0/8, 127.0.0.1,fd00::/8 ,',
      LOG_LEVEL: 'warn',
      PUBLIC_URL: 'https://gateway.example.com/',
      ROOT_PASSWORD: 'a chosen password',
    }),
  ).toEqual({
    host: '::',
    port: 8080,
    dataDir: '/var/lib/headgate',
    databaseUrl: 'postgres://gateway@db/headgate',
    secretKey: 'sixteen letters!',
    trustedProxies: ['10.0.0.0/8', '127.0.0.1', 'fd00::/8'],
    logLevel: 'warn',
    publicUrl: 'https://gateway.example.com',
    rootPassword: 'a chosen password',
  });
});

test('an empty variable counts as unset', () => {
  const names = [
    'HOST',
    'PORT',
    'DATA_DIR',
    'DATABASE_URL',
    'SECRET_KEY',
    'TRUSTED_PROXIES',
    'LOG_LEVEL',
    'PUBLIC_URL',
  ];
  const empty = Object.fromEntries([...names, 'ROOT_PASSWORD'].map((name) => [name, '']));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

describe('a value that is wrong is named in a sentence', () => {
  const portRule = 'PORT must be a port number from 0 to 65535.';
  const proxyRule = 'TRUSTED_PROXIES must be IP addresses or CIDR ranges separated by commas.';
  const databaseRule = 'DATABASE_URL must start with postgres://, or be unset to use SQLite in DATA_DIR.';

  test.each([
    ['PORT', 'abc', portRule],
    ['PORT', '70000', portRule],
    ['PORT', '-1', portRule],
    ['PORT', '80.5', portRule],
    ['PORT', ' 80', portRule],
    ['PORT', '0x50', portRule],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.'],
    ['DATABASE_URL', 'mysql://x', databaseRule],
    ['DATABASE_URL', 'postgres://', databaseRule],
    ['DATABASE_URL', './headgate.db', databaseRule],
    ['SECRET_KEY', 'fifteen letters', 'SECRET_KEY must have at least 16 characters.'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', proxyRule],
    ['TRUSTED_PROXIES', 'fd00::/129', proxyRule],
    ['TRUSTED_PROXIES', '127.0.0.1, proxy.example.com', proxyRule],
    ['TRUSTED_PROXIES', 'true', proxyRule],
    ['PUBLIC_URL', 'gateway.example.com', 'PUBLIC_URL must start with http:// or https://.'],
    ['ROOT_PASSWORD', 'seven77', 'ROOT_PASSWORD must have at least 8 characters.'],
    ['ROOT_PASSWORD', 'x'.repeat(201), 'ROOT_PASSWORD must have at most 200 characters.'],
  ])('%s=%s', (name, value, sentence) => {
    expect(() => readConfig({ [name]: value })).toThrow(new StartFailure(sentence));
  });
});
