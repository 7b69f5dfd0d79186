import { readFileSync } from 'node:fs';
import { defaultRoot, nodeApi, sessionApi } from '@headgate/contract';
import { ApiClient, StubUpstream } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { pausingProxy } from '../testing/pausing-proxy.ts';
import { addressOf, type Program, startServer } from '../testing/program.ts';
import { askWhole, makeToken, slowAnswer, steadyLoad } from '../testing/steady-load.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

const start = (stored: TestDatabase, environment: Readonly<Record<string, string>> = {}): Program =>
  startServer(
    { ...stored.environment, WORKERS: '2', LOG_LEVEL: 'warn', SHUTDOWN_DRAIN_SECONDS: '1', ...environment },
    stored.location.dataDir,
  );

const workersOf = ({ process: { pid } }: Program): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

/** How long was waited before each worker that was started in place of one that died. */
const pausesOf = ({ lines }: Program): readonly unknown[] =>
  lines.flatMap((line) => (line.includes('a worker died') ? (JSON.parse(line) as { pauseMs: number }).pauseMs : []));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('workers serve behind one port, one that is killed is replaced, and SIGTERM ends all of them well', async () => {
  await using stored = await createTestDatabase();
  await using server = start(stored);
  const url = await addressOf(server);
  expect(server.lines[0]).toMatch(/password 123456 and change it\. 2 workers serve\.$/);
  const root = new ApiClient(url);
  await root.call(sessionApi.login, { body: defaultRoot });
  expect(await root.call(nodeApi.list)).toHaveLength(2);
  const [first = 0, second = 0] = workersOf(server);
  process.kill(first, 'SIGKILL');
  await server.line(/a worker died; starting another/);
  await expect.poll(() => workersOf(server).filter((pid) => pid !== first && pid !== second)).toHaveLength(1);
  await expect.poll(async () => (await root.send(nodeApi.list)).status).toBe(200);
  const all = workersOf(server);
  server.process.kill('SIGTERM');
  expect(await server.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(all.filter(isAlive)).toEqual([]);
});

test('SIGHUP replaces the workers one by one: under answers and streams nothing is lost, and /readyz stays well', async () => {
  await using stored = await createTestDatabase();
  const upstream = await StubUpstream.start(slowAnswer);
  await using server = start(stored, { LOG_LEVEL: 'info' });
  const url = await addressOf(server);
  const key = await makeToken(url, upstream);
  await expect.poll(() => askWhole(url, key, false)).toBe(undefined);
  const before = workersOf(server);
  const load = steadyLoad(url, key, 4);
  const looks: (number | string)[] = [];
  const look = async () => looks.push(await fetch(`${url}/readyz`).then(({ status }) => status, String));
  const looking = setInterval(() => void look(), 100);
  server.process.kill('SIGHUP');
  await server.line(/the workers are replaced/);
  clearInterval(looking);
  const { failures, asked } = await load.end();
  expect(failures).toEqual([]);
  expect(asked).toBeGreaterThan(10);
  expect(new Set(looks)).toEqual(new Set([200]));
  const after = workersOf(server);
  expect(after).toHaveLength(2);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  await upstream.close();
});

test('/metrics of any worker shows all of them, each under its name', async () => {
  await using stored = await createTestDatabase();
  await using server = start(stored, { WORKERS: '3', NODE_NAME: 'gate' });
  const url = await addressOf(server);
  const shown = async () => {
    const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
    expect(text.match(/^# TYPE headgate_requests_running /gm)).toHaveLength(1);
    return [...text.matchAll(/^headgate_requests_running{worker="([\w-]+)"} 0$/gm)].map(([, name]) => name).sort();
  };
  // Whichever of them is asked, it asks the others.
  for (let look = 0; look < 6; look += 1) await expect.poll(shown).toEqual(['gate', 'gate-2', 'gate-3']);
  // One that is frozen is left out, and the others do not wait for it for long.
  const frozen = workersOf(server)[1] ?? 0;
  process.kill(frozen, 'SIGSTOP');
  const looks: Promise<unknown>[] = [];
  const lookAtAll = () => {
    const some = Array.from({ length: 3 }, shown);
    looks.push(Promise.allSettled(some));
    return Promise.race(some);
  };
  // On a slow machine another may be late too.
  await expect.poll(lookAtAll, { interval: 1000 }).toHaveLength(2);
  process.kill(frozen, 'SIGCONT');
  await Promise.all(looks);
});

test('a start that fails is said once and ends the primary too', async () => {
  await using stored = await createTestDatabase();
  await using server = start(stored, { HOST: '203.0.113.1' });
  expect(await server.exit).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^headgate: Cannot listen on 203\.0\.113\.1:0 \(EADDRNOTAVAIL\).*\n$/),
  });
});

test('workers end in order when their primary is killed', async () => {
  await using stored = await createTestDatabase();
  await using server = start(stored);
  await addressOf(server);
  const workers = workersOf(server);
  server.process.kill('SIGKILL');
  await expect.poll(() => workers.filter(isAlive)).toEqual([]);
});

test('workers that die at once are replaced after pauses that grow', async () => {
  await using stored = await createTestDatabase();
  await using server = start(stored);
  await addressOf(server);
  for (let died = 1; died <= 4; died += 1) {
    const victim = workersOf(server).at(-1) ?? 0;
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => pausesOf(server).length).toBe(died);
    // The next one dies before it serves.
    await expect.poll(() => workersOf(server).filter((pid) => pid > 0)).toHaveLength(2);
  }
  // On a machine that is busy the first may have lived long enough to be replaced at once.
  const grown = pausesOf(server).filter((pauseMs) => pauseMs !== 0);
  expect(grown).toEqual([250, 500, 1000, 2000].slice(0, grown.length));
  expect(grown.length).toBeGreaterThanOrEqual(3);
});

test('Ctrl-C, which a terminal sends to the workers too, lets a stream come to its end and ends all of them well', async () => {
  await using stored = await createTestDatabase();
  const upstream = await StubUpstream.start(slowAnswer);
  await using server = start(stored);
  const url = await addressOf(server);
  const key = await makeToken(url, upstream);
  await expect.poll(() => askWhole(url, key, false)).toBe(undefined);
  const before = upstream.seen.length;
  const asking = askWhole(url, key, true);
  await expect.poll(() => upstream.seen.length).toBe(before + 1);
  const all = [server.process.pid ?? 0, ...workersOf(server)];
  for (const pid of all) process.kill(pid, 'SIGINT');
  expect(await asking).toBe(undefined);
  expect(await server.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(all.filter(isAlive)).toEqual([]);
  await upstream.close();
});

test('[A62.2] a signal to end is heard while the first worker waits for the database', async () => {
  await using stored = await createTestDatabase();
  await using proxy = await pausingProxy(stored.location.databaseUrl ?? '');
  proxy.cut();
  await using server = start(stored, { DATABASE_URL: proxy.url });
  await server.line(/waiting for the database/);
  const workers = workersOf(server);
  server.process.kill('SIGTERM');
  expect(await server.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(workers.filter(isAlive)).toEqual([]);
});

test('[A62.3] SIGHUP while the workers start, or are replaced, replaces all of them once more', async () => {
  await using stored = await createTestDatabase();
  await using proxy = await pausingProxy(stored.location.databaseUrl ?? '');
  proxy.cut();
  const environment = { DATABASE_URL: proxy.url, LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: '0' };
  await using server = start(stored, environment);
  await server.line(/waiting for the database/);
  server.process.kill('SIGHUP');
  proxy.open();
  await addressOf(server);
  await server.line(/replacing the workers one by one/);
  server.process.kill('SIGHUP');
  const replaced = () => server.lines.filter((line) => line.includes('the workers are replaced'));
  await expect.poll(() => replaced().length).toBe(2);
  expect(workersOf(server)).toHaveLength(2);
});

test('[A62.3] a worker that dies while it is to be replaced is replaced once', async () => {
  await using stored = await createTestDatabase();
  await using server = start(stored, { LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: '0' });
  await addressOf(server);
  const [first = 0] = workersOf(server);
  server.process.kill('SIGHUP');
  await server.line(/replacing the workers one by one/);
  process.kill(first, 'SIGKILL');
  await server.line(/a worker died; starting another/);
  await server.line(/the workers are replaced/);
  expect(workersOf(server)).toHaveLength(2);
});

test('[A62.3] a successor that dies while its predecessor makes room is replaced once', async () => {
  await using stored = await createTestDatabase();
  await using server = start(stored, { LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: '3' });
  await addressOf(server);
  const before = workersOf(server);
  server.process.kill('SIGHUP');
  await server.line(/serving on until/);
  process.kill(workersOf(server).at(-1) ?? 0, 'SIGKILL');
  await server.line(/a worker died; starting another/);
  await server.line(/the workers are replaced/);
  const after = workersOf(server);
  expect(after).toHaveLength(2);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
});

test('[A62.4] SIGHUP while the database is away leaves the workers as they are, and says so', async () => {
  await using stored = await createTestDatabase();
  await using proxy = await pausingProxy(stored.location.databaseUrl ?? '');
  await using server = start(stored, { DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: '0', LOG_LEVEL: 'info' });
  await addressOf(server);
  const before = workersOf(server);
  proxy.cut();
  server.process.kill('SIGHUP');
  await server.line(/a new worker did not start; the others stay/);
  expect(workersOf(server)).toEqual(before);
  proxy.open();
  server.process.kill('SIGHUP');
  await server.line(/the workers are replaced/);
  expect(server.lines.filter((line) => line.includes('the workers are replaced'))).toHaveLength(1);
  expect(workersOf(server).filter((pid) => before.includes(pid))).toEqual([]);
});

test('[A62.4] the ready line says how many workers serve where some do not start', async () => {
  await using stored = await createTestDatabase();
  await using proxy = await pausingProxy(stored.location.databaseUrl ?? '');
  // Enough for the first, and not for another.
  proxy.allow(10);
  await using server = start(stored, { DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: '0', WORKERS: '3' });
  expect(await server.line(/ is ready at /)).toMatch(/ 1 of 3 workers serves; the others are being started again\.$/);
  expect((await fetch(`${await addressOf(server)}/healthz`)).status).toBe(200);
});

test('[A62.9] SIGTERM while workers are replaced: none of them calls itself ready any more', async () => {
  await using stored = await createTestDatabase();
  await using server = start(stored, { LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: '600' });
  const url = await addressOf(server);
  server.process.kill('SIGHUP');
  await server.line(/serving on until/);
  server.process.kill('SIGTERM');
  const look = async () => (await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).status;
  // Several times each of the three that serve: one that makes room, its successor, and one whose turn has not come.
  const looks = async () => new Set(await Promise.all(Array.from({ length: 12 }, look)));
  await expect.poll(looks, { timeout: 20_000 }).toEqual(new Set([503]));
});

test('[A62.5] a worker that hears nothing is killed: in the end when it is to be replaced, at once after a second signal', async () => {
  await using stored = await createTestDatabase();
  await using server = start(stored, { LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: '0', SHUTDOWN_GRACE_SECONDS: '0' });
  await addressOf(server);
  const [first = 0] = workersOf(server);
  process.kill(first, 'SIGSTOP');
  server.process.kill('SIGHUP');
  await server.line(/the workers are replaced/);
  expect(isAlive(first)).toBe(false);
  const all = workersOf(server);
  expect(all).toHaveLength(2);
  process.kill(all[0] ?? 0, 'SIGSTOP');
  server.process.kill('SIGTERM');
  await expect.poll(() => all.filter(isAlive)).toHaveLength(1);
  server.process.kill('SIGTERM');
  expect(await server.exit).toMatchObject({ code: 1, signal: null });
  expect(all.filter(isAlive)).toEqual([]);
});

test('[A62.5] a worker that hears nothing does not keep the others from ending after one signal', async () => {
  await using stored = await createTestDatabase();
  await using server = start(stored, { SHUTDOWN_DRAIN_SECONDS: '0', SHUTDOWN_GRACE_SECONDS: '0' });
  await addressOf(server);
  const all = workersOf(server);
  process.kill(all[0] ?? 0, 'SIGSTOP');
  server.process.kill('SIGTERM');
  await server.line(/a worker did not end in time; it is killed/);
  expect(await server.exit).toMatchObject({ code: 1, signal: null });
  expect(all.filter(isAlive)).toEqual([]);
});
