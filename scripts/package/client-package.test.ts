import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundledProgram, compileCache } from '../../packages/testkit/src/bundled-program.ts';
import { repositoryRoot } from '../repository.ts';
import { runCaptured } from '../tool.ts';
import { makeClientPackage } from './client-package.ts';
import { runNpm } from './make-package.ts';

const home = mkdtempSync(join(tmpdir(), 'headgate-client-'));
const folder = join(home, 'program');
const installed = join(folder, 'node_modules/@headgate/client');
let server: ChildProcess | undefined;

/** The contract's dependency, installed from this folder because tests have no network. */
const zodFolder = join(repositoryRoot, 'node_modules/zod');

const rootPassword = 'a password for root';

async function startServer(): Promise<string> {
  server = spawn(process.execPath, [bundledProgram('main.ts')], {
    cwd: home,
    env: {
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
      DATA_DIR: join(home, 'data'),
      ROOT_PASSWORD: rootPassword,
      SHUTDOWN_DRAIN_SECONDS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: server.stdout as NodeJS.ReadableStream })) {
    const url = /(http:\/\/[^\s"]+:\d+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('The gateway ended before it was ready.');
}

/** Access token of root, which is created by hand in the console. */
async function accessTokenOf(url: string): Promise<string> {
  const login = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: rootPassword }),
  });
  const cookie = login.headers.getSetCookie().map((line) => line.split(';')[0]);
  const made = await fetch(`${url}/api/user/token`, { headers: { cookie: cookie.join('; ') } });
  return ((await made.json()) as { data: string }).data;
}

/** A program that uses only the package. */
const program = `import { api, createClient, type Data, HeadgateError } from '@headgate/client';

const [url = '', accessToken = ''] = process.argv.slice(2);
const headgate = createClient({ url, accessToken });

await headgate.call(api.channel.create, { body: { name: 'by program', key: 'sk-x', models: 'm' } });
const { rows, total } = await headgate.page(api.channel.search, { query: { keyword: 'by program' } });
const id: number = rows[0]?.id ?? 0;
const { data, etag } = await headgate.read(api.channel.get, { params: { id } });
const channel: Data<typeof api.channel.get> = data;
const changed = await headgate.call(api.channel.update, { body: { id, priority: 5 } }, { ifMatch: etag });

async function codeOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return 'done';
  } catch (error) {
    if (!(error instanceof HeadgateError)) return error instanceof Error ? error.name : 'unknown';
    return [error.kind, error.status, error.code].join(' ');
  }
}
const stale = await codeOf(() => headgate.call(api.channel.update, { body: { id, priority: 9 } }, { ifMatch: etag }));
const absent = await codeOf(() => headgate.call(api.channel.get, { params: { id: 999_999 } }));
const visitor = await codeOf(() => createClient({ url }).call(api.user.self));
const away = await codeOf(() => createClient({ url: 'http://127.0.0.1:9' }).call(api.user.self));
const nonsense = await codeOf(() => createClient({ url: url + '/nowhere' }).call(api.user.self));
const aborted = await codeOf(() => headgate.call(api.user.self, {}, { signal: AbortSignal.abort() }));
const file = await headgate.file(api.log.export, { query: { format: 'jsonl' } });
const text = await new Response(file.body).text();
const isWhole = text.trimEnd().endsWith('}') && text.includes('"complete":true');
// @ts-expect-error: a call that takes an id requires one
void (() => headgate.call(api.channel.get));
// @ts-expect-error: the id must be a number, not text
void (() => headgate.call(api.channel.update, { body: { id: 'seven' } }));
console.log(JSON.stringify({
  total, name: channel.name, priority: changed.priority, stale, absent, visitor, away, nonsense, aborted, isWhole,
}));
`;

beforeAll(async () => {
  mkdirSync(folder);
  const tarball = await makeClientPackage(home);
  copyFileSync(tarball, join(folder, basename(tarball)));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await runNpm([...install, '--cache', join(home, 'cache'), zodFolder, `./${basename(tarball)}`], folder);
  writeFileSync(join(folder, 'program.ts'), program);
});

afterAll(async () => {
  if (server && server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

test('the client package contains JavaScript, types and a license, runs nothing on install and depends only on the schema library', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, object>;
  expect(Object.keys(manifest['dependencies'] ?? {})).toEqual(['zod']);
  expect(manifest['scripts']).toBeUndefined();
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'index.js', 'package.json', 'types']);
  const types = readdirSync(join(installed, 'types'), { recursive: true, encoding: 'utf8' });
  expect(types.filter((name) => name.includes('test'))).toEqual([]);
  const code = readFileSync(join(installed, 'index.js'), 'utf8');
  expect([...code.matchAll(/from ["']([^"']+)["']/g)].map(([, name]) => name?.split('/')[0])).toEqual(
    expect.arrayContaining(['zod']),
  );
  expect(code).not.toMatch(/from ["'](node:|@headgate)/);
});

test('a program that uses the client package compiles in an empty folder and works with a gateway', async () => {
  const settings = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--module', 'nodenext'];
  const options = [...settings, '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable', '--types', 'node'];
  const roots = ['--typeRoots', join(repositoryRoot, 'node_modules/@types'), '--skipLibCheck', 'false'];
  const { exitCode, output } = await runCaptured('tsc', ['program.ts', ...options, ...roots], { folder: folder });
  expect(output).toBe('');
  expect(exitCode).toBe(0);
  const url = await startServer();
  const { stdout, stderr } = spawnSync(process.execPath, ['program.js', url, await accessTokenOf(url)], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    total: 1,
    name: 'by program',
    priority: 5,
    stale: 'refused 412 changedMeanwhile',
    absent: 'refused 200 notFound',
    visitor: 'refused 401 notSignedIn',
    away: 'unreachable 0 ',
    // The console's page where it is built, an error where it is not.
    nonsense: expect.stringMatching(/^(unreadable|refused) (200|404|503)/),
    aborted: 'AbortError',
    isWhole: true,
  });
});
