import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { StartFailure } from './platform/errors/start-failure.ts';

test('requires no variable', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    workers: 1,
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseWaitMs: 30_000,
    sqliteSynchronous: 'normal',
    databaseLimits: { statementMs: 30_000, lockMs: 5000, idleMs: 5000 },
    secretKey: undefined,
    trustedProxies: [],
    logLevel: 'info',
    publicUrl: undefined,
    nodeName: undefined,
    providerUrls: {},
    bodies: { maxBytes: 64 * 1024 * 1024, budget: 256 * 1024 * 1024 },
    rateLimits: {
      api: { most: 1000, seconds: 180 },
      critical: { most: 20, seconds: 1200 },
      loginAddress: { most: 30, seconds: 900 },
      loginAccount: { most: 10, seconds: 900 },
    },
    passwordKib: 19_456,
    shutdownDrainMs: 5000,
    shutdownGraceMs: 25_000,
    rootPassword: undefined,
    exportPassphrase: undefined,
    traces: undefined,
  });
});

test('reads every variable', () => {
  expect(
    readConfig({
      HOST: '::',
      PORT: '8080',
      WORKERS: '4',
      DATA_DIR: '/var/lib/headgate',
      DATABASE_URL: 'postgres://gateway@db/headgate',
      DATABASE_WAIT_SECONDS: '0',
      DATABASE_STATEMENT_SECONDS: '120',
      DATABASE_LOCK_SECONDS: '2',
      DATABASE_IDLE_SECONDS: '9',
      SECRET_KEY: 'sixteen letters!',
      TRUSTED_PROXIES: ' 10.0.0.0/8, 127.0.0.1,fd00::/8 ,',
      LOG_LEVEL: 'warn',
      MAX_BODY_MB: '8',
      BODY_BUDGET_MB: '100',
      API_RATE_LIMIT: '5000',
      CRITICAL_RATE_LIMIT: '0',
      LOGIN_RATE_LIMIT: '5',
      PASSWORD_HASH_KIB: '65536',
      PUBLIC_URL: 'https://gateway.example.com/',
      NODE_NAME: 'gateway-1.example:a_b',
      LOGIN_PROVIDER_URLS: '{"github":"http://127.0.0.1:9/","onPurpose":true}',
      SHUTDOWN_DRAIN_SECONDS: '15',
      SQLITE_SYNCHRONOUS: 'full',
      SHUTDOWN_GRACE_SECONDS: '90',
      ROOT_PASSWORD: 'a chosen password',
      EXPORT_PASSPHRASE: 'a passphrase',
      IMPORT_FROM: 'postgres://reader:password@db/oneapi',
    }),
  ).toEqual({
    host: '::',
    port: 8080,
    workers: 4,
    dataDir: '/var/lib/headgate',
    databaseUrl: 'postgres://gateway@db/headgate',
    databaseWaitMs: 0,
    sqliteSynchronous: 'full',
    databaseLimits: { statementMs: 120_000, lockMs: 2000, idleMs: 9000 },
    secretKey: 'sixteen letters!',
    trustedProxies: ['10.0.0.0/8', '127.0.0.1', 'fd00::/8'],
    logLevel: 'warn',
    publicUrl: 'https://gateway.example.com',
    nodeName: 'gateway-1.example:a_b',
    providerUrls: { github: 'http://127.0.0.1:9' },
    bodies: { maxBytes: 8 * 1024 * 1024, budget: 100 * 1024 * 1024 },
    rateLimits: {
      api: { most: 5000, seconds: 180 },
      critical: { most: 0, seconds: 1200 },
      loginAddress: { most: 15, seconds: 900 },
      loginAccount: { most: 5, seconds: 900 },
    },
    passwordKib: 65_536,
    shutdownDrainMs: 15_000,
    shutdownGraceMs: 90_000,
    rootPassword: 'a chosen password',
    exportPassphrase: 'a passphrase',
    importFrom: 'postgres://reader:password@db/oneapi',
  });
});

test('treats an empty variable as unset', () => {
  const names = [
    'HOST',
    'PORT',
    'DATA_DIR',
    'DATABASE_URL',
    'SECRET_KEY',
    'TRUSTED_PROXIES',
    'LOG_LEVEL',
    'PUBLIC_URL',
    'NODE_NAME',
    'TURNSTILE_VERIFY_URL',
    'API_RATE_LIMIT',
    'CRITICAL_RATE_LIMIT',
    'LOGIN_RATE_LIMIT',
  ];
  const empty = Object.fromEntries([...names, 'ROOT_PASSWORD'].map((name) => [name, '']));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

describe('reports an invalid value in one sentence', () => {
  const limitRule = 'must be a whole number from 0 (no limit) to 999999999.';
  const secondsRule = 'must be a whole number of seconds from 0 to 9999.';
  const workersRule = 'WORKERS must be auto, or a whole number from 1 to 999.';
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
    ['NODE_NAME', 'a b', 'NODE_NAME must be at most 64 letters, digits or any of . : _ -.'],
    ['NODE_NAME', 'x'.repeat(65), 'NODE_NAME must be at most 64 letters, digits or any of . : _ -.'],
    ['API_RATE_LIMIT', 'many', `API_RATE_LIMIT ${limitRule}`],
    ['API_RATE_LIMIT', '-1', `API_RATE_LIMIT ${limitRule}`],
    ['CRITICAL_RATE_LIMIT', '1.5', `CRITICAL_RATE_LIMIT ${limitRule}`],
    ['LOGIN_RATE_LIMIT', '10000000000', `LOGIN_RATE_LIMIT ${limitRule}`],
    ['PASSWORD_HASH_KIB', '7', 'PASSWORD_HASH_KIB must be a whole number from 8 to 1048576.'],
    ['PASSWORD_HASH_KIB', '1048577', 'PASSWORD_HASH_KIB must be a whole number from 8 to 1048576.'],
    ['SQLITE_SYNCHRONOUS', 'off', 'SQLITE_SYNCHRONOUS must be normal or full.'],
    ['SHUTDOWN_DRAIN_SECONDS', '-1', `SHUTDOWN_DRAIN_SECONDS ${secondsRule}`],
    ['SHUTDOWN_GRACE_SECONDS', '1.5', `SHUTDOWN_GRACE_SECONDS ${secondsRule}`],
    ['DATABASE_WAIT_SECONDS', '10000', `DATABASE_WAIT_SECONDS ${secondsRule}`],
    ['WORKERS', '0', workersRule],
    ['WORKERS', 'all', workersRule],
    ['WORKERS', '2', 'WORKERS needs PostgreSQL: set DATABASE_URL, or leave WORKERS at 1.'],
    ['PUBLIC_URL', 'http://[', 'PUBLIC_URL must be a URL such as https://gateway.example.'],
    ['WORKERS', 'auto', 'WORKERS needs PostgreSQL: set DATABASE_URL, or leave WORKERS at 1.'],
    ['ROOT_PASSWORD', 'seven77', 'ROOT_PASSWORD must have at least 8 characters.'],
    ['ROOT_PASSWORD', 'x'.repeat(201), 'ROOT_PASSWORD must have at most 200 characters.'],
  ])('%s=%s', (name, value, sentence) => {
    expect(() => readConfig({ [name]: value })).toThrow(new StartFailure(sentence));
  });
});

describe('LOGIN_PROVIDER_URLS', () => {
  const local = '{"github":"http://127.0.0.1:9","lark":"http://localhost:9/x/","turnstile":"http://[::1]:9"}';

  test('is accepted if the gateway and the provider are on localhost', () => {
    expect(readConfig({ LOGIN_PROVIDER_URLS: local }).providerUrls).toEqual({
      github: 'http://127.0.0.1:9',
      lark: 'http://localhost:9/x',
      turnstile: 'http://[::1]:9',
    });
  });

  test.each([
    ['a gateway reachable from other machines', { HOST: '0.0.0.0', LOGIN_PROVIDER_URLS: local }],
    ['a remote address', { LOGIN_PROVIDER_URLS: '{"github":"https://github.evil.example"}' }],
    ['a name that only starts like a local one', { LOGIN_PROVIDER_URLS: '{"github":"http://localhost.evil.example"}' }],
  ])('is rejected with %s unless explicitly confirmed', (_, environment) => {
    expect(() => readConfig(environment)).toThrow(StartFailure);
    expect(() => readConfig(environment)).toThrow(/^LOGIN_PROVIDER_URLS lets other servers decide who may log in/);
    const text = environment.LOGIN_PROVIDER_URLS.replace(/}$/, ',"onPurpose":true}');
    expect(Object.keys(readConfig({ ...environment, LOGIN_PROVIDER_URLS: text }).providerUrls)).toContain('github');
  });

  const unparsable = ['http://[', 'http://127.0.0.1:99999', 'http://%'].map((url) => JSON.stringify({ stripe: url }));

  test.each([
    'x',
    '[]',
    '{"gitlab":"http://127.0.0.1"}',
    '{"github":"ftp://127.0.0.1"}',
    '{"github":5}',
    ...unparsable,
  ])('rejects %s', (text) => {
    const read = () => readConfig({ LOGIN_PROVIDER_URLS: text });
    expect(read).toThrow(StartFailure);
    expect(read).toThrow(/^LOGIN_PROVIDER_URLS must be JSON such as/);
  });
});
