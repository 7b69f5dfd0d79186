import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { StubUpstream } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { createChannel } from '../testing/catalog/channel-fixtures.ts';
import { doctorEnvironment, emptyFolder, runDoctor } from '../testing/process/doctor-program.ts';
import { runFile } from '../testing/process/program.ts';
import { startTestApp } from '../testing/test-app.ts';

describe('before the first start', () => {
  test('reports that the gateway can start, and changes nothing', async () => {
    const folder = emptyFolder();
    await using program = runFile('doctor.ts', [], { environment: { PORT: '0' }, workingDirectory: folder });
    const { code, stdout } = await program.exit;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {4}database +SQLite; created at the first start$/m);
    expect(stdout).toMatch(/^(No problems found|The gateway can serve)/m);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('names every invalid and every misspelled setting, but prints no values', async () => {
    const folder = emptyFolder();
    writeFileSync(
      join(folder, '.env'),
      'SERCET_KEY=hidden-value-of-a-key\nFAVOURITE_COLOUR=hidden-blue\nWORKERS=none\n',
    );
    const { code, findings, text } = await runDoctor(
      { PORT: 'hidden-port', SECRET_KEY: 'hidden', HOSTT: 'hidden', PATH: '/bin', HOME: '/hidden' },
      folder,
    );
    expect(code).toBe(1);
    expect(
      findings.filter(({ check }) => check === 'settings').map(({ state, message }) => `${state} ${message}`),
    ).toEqual([
      'fail PORT must be a port number from 0 to 65535.',
      'fail WORKERS must be auto, or a whole number from 1 to 999.',
      'fail SECRET_KEY must have at least 16 characters.',
      'warn FAVOURITE_COLOUR in .env is not a setting of Headgate.',
      'warn SERCET_KEY is not a setting.',
      'warn HOSTT is not a setting.',
    ]);
    expect(findings.map(({ action }) => action)).toContain('Did you mean SECRET_KEY?');
    expect(text).not.toContain('hidden');
  });

  test('[A49.3] prints no control characters from setting names', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, '.env'), '\u001b[31mHOSTS=1\nPO\u0007RT=1\n');
    const { text } = await runDoctor({ 'HOST\u001b': 'x' }, folder);
    for (const sign of ['\u001b', '\u0007', '\\u001b', '\\u0007']) expect(text).not.toContain(sign);
  });
});

describe('with a running gateway', () => {
  test('[A49.2] sends no API key and calls no cloud metadata endpoint', async () => {
    const upstream = await StubUpstream.start();
    await using app = await startTestApp();
    const admin = await app.as('admin');
    await createChannel(app, admin, { base_url: `${upstream.url}/deep/path`, key: 'sk-hidden' });
    const forbidden = await createChannel(app, admin, { base_url: 'http://203.0.113.7', key: 'sk-hidden' });
    // Stored directly, as another program might do.
    await app.database
      .updateTable('channels')
      .set({ base_url: 'http://169.254.169.254/latest\u001b[31m' })
      .where('id', '=', forbidden.id)
      .execute();
    const { code, of, text } = await runDoctor(doctorEnvironment(app));
    const [channels] = of('channels');
    expect(channels?.state).toBe('warn');
    expect(channels?.message).toContain(`http://169.254.169.254 (channel ${forbidden.id}): the address is not allowed`);
    expect(code).toBe(0);
    expect(upstream.received.map(({ method, path, text: body }) => [method, path, body])).toEqual([['GET', '/', '']]);
    expect(JSON.stringify(upstream.received[0]?.headers)).not.toContain('hidden');
    expect(text).not.toMatch(/hidden|\\u001b/);
    await upstream.close();
  });

  test('fails when no channel responds', async () => {
    await using app = await startTestApp();
    const closed = await StubUpstream.start();
    await closed.close();
    await createChannel(app, await app.as('admin'), { base_url: closed.url });
    const { code, of } = await runDoctor(doctorEnvironment(app));
    expect(of('channels')).toMatchObject([{ state: 'fail', message: expect.stringContaining('ECONNREFUSED') }]);
    expect(code).toBe(1);
  });

  test('accepts a port used by the gateway itself and fails for a port used by another program', async () => {
    await using app = await startTestApp();
    const own = await runDoctor({ ...doctorEnvironment(app), PORT: new URL(app.url).port });
    expect(own.of('port')).toMatchObject([{ state: 'ok', message: expect.stringContaining('used by a gateway') }]);
    const other = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const taken = await runDoctor({ ...doctorEnvironment(app), PORT: String(port) });
    expect(taken.of('port')).toMatchObject([
      { state: 'fail', message: `Port ${port} on 127.0.0.1 is used by another program.` },
    ]);
    expect(taken.code).toBe(1);
    await new Promise((resolve) => other.close(resolve));
  });

  test('fails for a secret key other than the one that encrypted the secrets, without printing it', async () => {
    await using app = await startTestApp();
    const { code, of, text } = await runDoctor({ ...doctorEnvironment(app), SECRET_KEY: 'hidden and quite another' });
    expect(of('secret key').map(({ state }) => state)).toEqual(['ok', 'fail']);
    expect(code).toBe(1);
    expect(text).not.toContain('hidden');
  });
});

test('fails for an unreachable database without printing its password', async () => {
  const { code, of, text } = await runDoctor({ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/none' });
  expect(of('database')).toMatchObject([
    { state: 'fail', message: 'DATABASE_URL cannot be reached: 127.0.0.1:1/none (ECONNREFUSED).' },
  ]);
  expect(code).toBe(1);
  expect(text).not.toContain('hidden');
});

test('warns about a secret key that other users can read, and fails for a damaged one', async () => {
  const dataDir = emptyFolder();
  const key = join(dataDir, 'secret.key');
  writeFileSync(key, 'hidden-and-long-enough\n', { mode: 0o644 });
  const open = await runDoctor({ DATA_DIR: dataDir });
  expect(open.of('secret key')).toMatchObject([{ state: 'warn', action: `chmod 600 ${JSON.stringify(key)}` }]);
  expect(open.of('data folder').map(({ state }) => state)).toEqual(['warn']);
  chmodSync(key, 0o600);
  writeFileSync(key, 'hidden');
  const damaged = await runDoctor({ DATA_DIR: dataDir });
  expect(damaged.of('secret key').map(({ state }) => state)).toEqual(['fail']);
  expect(open.text + damaged.text).not.toContain('hidden');
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
});

test('fails if the secret key is missing, as startup does, and does not create a new one', async () => {
  await using app = await startTestApp();
  rmSync(join(app.location.dataDir, 'secret.key'));
  const { code, of } = await runDoctor(doctorEnvironment(app));
  expect(of('secret key')).toMatchObject([
    { state: 'fail', message: expect.stringMatching(/^The secret key is missing, but this database/) },
  ]);
  expect(code).toBe(1);
  expect(existsSync(join(app.location.dataDir, 'secret.key'))).toBe(false);
});

test('fails for a configuration file that a start would reject', async () => {
  const folder = emptyFolder();
  const file = join(folder, 'headgate.yaml');
  const found = async () => {
    const { code, of } = await runDoctor({ CONFIG_FILE: file }, folder);
    return { code, findings: of('configuration file').map(({ state, message }) => `${state} ${message}`) };
  };
  expect(await found()).toEqual({
    code: 1,
    findings: [`fail The configuration file ${file} cannot be read (ENOENT).`],
  });
  writeFileSync(file, 'options:\n  SMTPToken: { env: NOT_SET }\n');
  expect(await found()).toEqual({
    code: 1,
    findings: ['fail headgate.yaml:2: options.SMTPToken needs the environment variable NOT_SET, which is not set.'],
  });
  writeFileSync(file, 'options:\n  RetryTimes: 2\n');
  expect(await found()).toEqual({ code: 0, findings: [`ok ${file} is valid`] });
  expect((await runDoctor({}, folder)).of('configuration file')).toEqual([]);
});

test('fails for a data folder that is a file', async () => {
  const file = join(emptyFolder(), 'file');
  writeFileSync(file, '');
  const { code, findings } = await runDoctor({ DATA_DIR: file });
  expect(findings).toContainEqual(expect.objectContaining({ check: 'data folder', state: 'fail' }));
  expect(code).toBe(1);
  expect(existsSync(file)).toBe(true);
});
