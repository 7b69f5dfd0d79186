import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StubUpstream } from '@headgate/testkit';
import { afterAll, describe, expect, inject, test } from 'vitest';
import type { Finding } from './doctor/finding.ts';
import { createChannel } from './testing/channel-fixtures.ts';
import { runFile } from './testing/program.ts';
import { startTestApp, type TestApp } from './testing/test-app.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-doctor-'));
  folders.push(folder);
  return folder;
}

interface Told {
  readonly state: string;
  readonly findings: readonly Finding[];
}

async function doctor(environment: Record<string, string>, workingDirectory = emptyFolder()) {
  await using program = runFile('doctor.ts', ['--json'], {
    environment: { PORT: '0', ...environment },
    workingDirectory,
  });
  const { code, stdout, stderr } = await program.exit;
  expect(stderr).toBe('');
  const told = JSON.parse(stdout) as Told;
  const of = (check: string) => told.findings.filter((finding) => finding.check === check);
  return { code, state: told.state, text: stdout, findings: told.findings, of };
}

const environmentOf = ({ location: { dataDir, databaseUrl } }: TestApp) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
});

describe('of a place where nothing was started yet', () => {
  test('says that it can serve, in words and as JSON, and leaves it as it is', async () => {
    const folder = emptyFolder();
    await using program = runFile('doctor.ts', [], { environment: { PORT: '0' }, workingDirectory: folder });
    const { code, stdout } = await program.exit;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {4}database +SQLite; the first start makes it$/m);
    expect(stdout).toMatch(/^(All is well|It can serve)/m);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('names every setting that is wrong at once, and what is nearly one, but no value', async () => {
    const folder = emptyFolder();
    writeFileSync(
      join(folder, '.env'),
      'SERCET_KEY=hidden-value-of-a-key\nFAVOURITE_COLOUR=hidden-blue\nWORKERS=none\n',
    );
    const { code, findings, text } = await doctor(
      { PORT: 'hidden-port', SECRET_KEY: 'hidden', HOSTT: 'hidden', PATH: '/bin', HOME: '/hidden' },
      folder,
    );
    expect(code).toBe(1);
    expect(findings.filter(({ check }) => check === 'settings').map(({ state, says }) => `${state} ${says}`)).toEqual([
      'fail PORT must be a port number from 0 to 65535.',
      'fail WORKERS must be auto, or a whole number from 1 to 999.',
      'fail SECRET_KEY must have at least 16 characters.',
      'warn FAVOURITE_COLOUR in .env is no setting of Headgate.',
      'warn SERCET_KEY is no setting.',
      'warn HOSTT is no setting.',
    ]);
    expect(findings.map(({ todo }) => todo)).toContain('Did you mean SECRET_KEY?');
    expect(text).not.toContain('hidden');
  });

  test('[A49.3] says nothing of a name that a terminal would obey', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, '.env'), '\u001b[31mHOSTS=1\nPO\u0007RT=1\n');
    const { text } = await doctor({ 'HOST\u001b': 'x' }, folder);
    for (const sign of ['\u001b', '\u0007', '\\u001b', '\\u0007']) expect(text).not.toContain(sign);
  });
});

describe('of a gateway that runs', () => {
  test('says that database, key and channels are well', async () => {
    const upstream = await StubUpstream.start();
    await using app = await startTestApp();
    await createChannel(app, await app.as('admin'), { base_url: upstream.url, key: 'sk-hidden' });
    const { code, of } = await doctor(environmentOf(app));
    expect(of('database')).toEqual([
      { check: 'database', state: 'ok', says: 'it answers, and its schema is up to date' },
    ]);
    expect(of('secret key').map(({ state }) => state)).toEqual(['ok']);
    expect(of('channels').map(({ says }) => says)).toEqual(['1 of 1 addresses of enabled channels answer']);
    expect(of('clock').map(({ state }) => state)).toEqual(inject('database') === 'postgres' ? ['ok'] : []);
    expect(code).toBe(0);
    await upstream.close();
  });

  test('[A49.2] no key is sent, and nothing is called that hands out credentials', async () => {
    const upstream = await StubUpstream.start();
    await using app = await startTestApp();
    const admin = await app.as('admin');
    await createChannel(app, admin, { base_url: `${upstream.url}/deep/path`, key: 'sk-hidden' });
    const forbidden = await createChannel(app, admin, { base_url: 'http://203.0.113.7', key: 'sk-hidden' });
    // As a row of another's making may have it.
    await app.database
      .updateTable('channels')
      .set({ base_url: 'http://169.254.169.254/latest\u001b[31m' })
      .where('id', '=', forbidden.id)
      .execute();
    const { code, of, text } = await doctor(environmentOf(app));
    const [channels] = of('channels');
    expect(channels?.state).toBe('warn');
    expect(channels?.says).toContain(`http://169.254.169.254 (channel ${forbidden.id}): the address may not be called`);
    expect(code).toBe(0);
    expect(upstream.seen.map(({ method, path, text: body }) => [method, path, body])).toEqual([['GET', '/', '']]);
    expect(JSON.stringify(upstream.seen[0]?.headers)).not.toContain('hidden');
    expect(text).not.toMatch(/hidden|\\u001b/);
    await upstream.close();
  });

  test('channels of which none answers are a failure', async () => {
    await using app = await startTestApp();
    const closed = await StubUpstream.start();
    await closed.close();
    await createChannel(app, await app.as('admin'), { base_url: closed.url });
    const { code, of } = await doctor(environmentOf(app));
    expect(of('channels')).toMatchObject([{ state: 'fail', says: expect.stringContaining('ECONNREFUSED') }]);
    expect(code).toBe(1);
  });

  test('its port is well, and a port that another program has is not', async () => {
    await using app = await startTestApp();
    const own = await doctor({ ...environmentOf(app), PORT: new URL(app.url).port });
    expect(own.of('port')).toMatchObject([{ state: 'ok', says: expect.stringContaining('a gateway serves') }]);
    const other = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const taken = await doctor({ ...environmentOf(app), PORT: String(port) });
    expect(taken.of('port')).toMatchObject([{ state: 'fail', says: `Another program uses ${port} on 127.0.0.1.` }]);
    expect(taken.code).toBe(1);
    await new Promise((resolve) => other.close(resolve));
  });

  test('another key than the one that sealed its secrets is a failure, and is not told', async () => {
    await using app = await startTestApp();
    const { code, of, text } = await doctor({ ...environmentOf(app), SECRET_KEY: 'hidden and quite another' });
    expect(of('secret key').map(({ state }) => state)).toEqual(['ok', 'fail']);
    expect(code).toBe(1);
    expect(text).not.toContain('hidden');
  });

  test('a database of a newer version is a failure; one that is behind can be started', async () => {
    await using app = await startTestApp();
    const migrations = app.database.withTables<{ kysely_migration: { name: string; timestamp: string } }>();
    const [last] = await migrations
      .selectFrom('kysely_migration')
      .select('name')
      .orderBy('name', 'desc')
      .limit(1)
      .execute();
    await migrations
      .updateTable('kysely_migration')
      .set({ name: '9999-later' })
      .where('name', '=', last?.name ?? '')
      .execute();
    const newer = await doctor(environmentOf(app));
    expect(newer.of('database')).toMatchObject([{ state: 'fail', says: expect.stringContaining('9999-later') }]);
    await migrations.deleteFrom('kysely_migration').where('name', '=', '9999-later').execute();
    const older = await doctor(environmentOf(app));
    expect(older.of('database')).toMatchObject([{ state: 'warn', says: 'It is behind by 1 migrations.' }]);
  });
});

test('a database that is not there, or that refuses, is a failure without its password', async () => {
  const { code, of, text } = await doctor({ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/none' });
  expect(of('database')).toMatchObject([
    { state: 'fail', says: 'DATABASE_URL cannot be reached: 127.0.0.1:1/none (ECONNREFUSED).' },
  ]);
  expect(code).toBe(1);
  expect(text).not.toContain('hidden');
});

test('a key that others can read is told, and so is one that is damaged', async () => {
  const dataDir = emptyFolder();
  const key = join(dataDir, 'secret.key');
  writeFileSync(key, 'hidden-and-long-enough\n', { mode: 0o644 });
  const open = await doctor({ DATA_DIR: dataDir });
  expect(open.of('secret key')).toMatchObject([{ state: 'warn', todo: `chmod 600 ${JSON.stringify(key)}` }]);
  expect(open.of('data folder').map(({ state }) => state)).toEqual(['warn']);
  chmodSync(key, 0o600);
  writeFileSync(key, 'hidden');
  const damaged = await doctor({ DATA_DIR: dataDir });
  expect(damaged.of('secret key').map(({ state }) => state)).toEqual(['fail']);
  expect(open.text + damaged.text).not.toContain('hidden');
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
});

test('a folder for the data that cannot be one is a failure', async () => {
  const file = join(emptyFolder(), 'file');
  writeFileSync(file, '');
  const { code, findings } = await doctor({ DATA_DIR: file });
  expect(findings).toContainEqual(expect.objectContaining({ check: 'data folder', state: 'fail' }));
  expect(code).toBe(1);
  expect(existsSync(file)).toBe(true);
});
