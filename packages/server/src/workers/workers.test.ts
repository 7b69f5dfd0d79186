import { readFileSync } from 'node:fs';
import { defaultRoot, nodeApi, sessionApi } from '@headgate/contract';
import { ApiClient, StubUpstream } from '@headgate/testkit';
import { expect, test } from 'vitest';
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
