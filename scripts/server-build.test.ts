import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { buildServerIfStale, builtProgram, isServerStale } from './server-build.ts';

/** Starts the built server in a separate folder and waits for its address. */
async function start(settings: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-built-'));
  const child = spawn(process.execPath, [builtProgram], {
    cwd: folder,
    env: { PORT: '0', DATA_DIR: join(folder, 'data'), SHUTDOWN_DRAIN_SECONDS: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  return child;
}

test('the built server serves, and signs a user in with a worker thread', async () => {
  await buildServerIfStale();
  expect(isServerStale()).toBe(false);
  const child = await start({ ROOT_PASSWORD: 'a-password-of-root' });
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url = / is ready at (http:\S+?)\.? /.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // Passwords are checked in a worker thread, which is a separate file.
  const signedIn = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: 'a-password-of-root' }),
  });
  expect(await signedIn.json()).toMatchObject({ success: true });
  const missing = await fetch(`${url}/api/nowhere`, { headers: { 'accept-language': 'zh' } });
  expect(await missing.text()).toMatch(/\p{Script=Han}/u);
});

test('the built server prints one sentence if it cannot start', async () => {
  await buildServerIfStale();
  const child = await start({ PORT: 'nowhere' });
  const [text] = (await once(child.stderr, 'data')) as [Buffer];
  expect(String(text)).toMatch(/^headgate: .*PORT.*\n$/);
  expect(await once(child, 'exit')).toEqual([1, null]);
});

test('the built server contains neither the importer, the MySQL driver nor characters beyond Latin-1', async () => {
  await buildServerIfStale();
  const folder = dirname(builtProgram);
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs'));
  const holding = (text: string | RegExp) =>
    files.filter((file) => readFileSync(join(folder, file), 'utf8').search(text) !== -1);
  expect(holding('/healthz')).not.toEqual([]);
  // V8 would keep such a file in two bytes per character.
  expect(holding(/[^\0-\xff]/)).toEqual([]);
  // Text of the importer (a session setting) and of the driver (a sign-in method).
  expect([...holding('max_execution_time'), ...holding('caching_sha2_password')]).toEqual([]);
});
