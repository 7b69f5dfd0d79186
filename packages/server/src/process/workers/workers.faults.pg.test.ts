import { StubUpstream } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { pausingProxy } from '../../testing/database/pausing-proxy.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { addressOf, type Program } from '../../testing/process/program.ts';
import { createLoadToken, sendLoadRequest, slowResponse } from '../../testing/process/steady-load.ts';
import { isAlive, startWorkers, workersOf } from '../../testing/process/worker-programs.ts';

/** Delays before workers that died were restarted. */
const pausesOf = ({ lines }: Program): readonly unknown[] =>
  lines.flatMap((line) => (line.includes('a worker died') ? (JSON.parse(line) as { pauseMs: number }).pauseMs : []));

test('/metrics on any worker lists all workers by name, except a frozen one', async () => {
  await using stored = await createMigratedDatabase();
  await using server = startWorkers(stored, { WORKERS: '3', NODE_NAME: 'gate' });
  const url = await addressOf(server);
  const shown = async () => {
    const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
    expect(text.match(/^# TYPE headgate_requests_running /gm)).toHaveLength(1);
    return [...text.matchAll(/^headgate_requests_running{worker="([\w-]+)"} 0$/gm)].map(([, name]) => name).sort();
  };
  // Repeated, so that different workers respond.
  for (let look = 0; look < 6; look += 1) await expect.poll(shown).toEqual(['gate', 'gate-2', 'gate-3']);
  // A frozen worker is left out without a long delay.
  const frozen = workersOf(server)[1] ?? 0;
  process.kill(frozen, 'SIGSTOP');
  const looks: Promise<unknown>[] = [];
  const lookAtAll = () => {
    const some = Array.from({ length: 3 }, shown);
    looks.push(Promise.allSettled(some));
    return Promise.race(some);
  };
  // On a slow machine another worker may respond late too.
  await expect.poll(lookAtAll, { interval: 1000 }).toHaveLength(2);
  process.kill(frozen, 'SIGCONT');
  await Promise.all(looks);
});

test('workers that die at start are replaced after increasing delays', async () => {
  await using stored = await createMigratedDatabase();
  await using server = startWorkers(stored);
  await addressOf(server);
  for (let died = 1; died <= 4; died += 1) {
    const victim = workersOf(server).at(-1) ?? 0;
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => pausesOf(server).length).toBe(died);
    // The next worker dies before it serves.
    await expect.poll(() => workersOf(server).filter((pid) => pid > 0)).toHaveLength(2);
  }
  // On a busy machine the first worker may have lived long enough to be replaced without a delay.
  const grown = pausesOf(server).filter((pauseMs) => pauseMs !== 0);
  expect(grown).toEqual([250, 500, 1000, 2000].slice(0, grown.length));
  expect(grown.length).toBeGreaterThanOrEqual(3);
});

test('Ctrl-C, which a terminal also sends to the workers, lets a stream finish and ends all workers with code 0', async () => {
  await using stored = await createMigratedDatabase();
  const upstream = await StubUpstream.start(slowResponse);
  await using server = startWorkers(stored);
  const url = await addressOf(server);
  const key = await createLoadToken(url, upstream);
  await expect.poll(() => sendLoadRequest(url, key, false)).toBe(undefined);
  const before = upstream.received.length;
  const pending = sendLoadRequest(url, key, true);
  await expect.poll(() => upstream.received.length).toBe(before + 1);
  const all = [server.process.pid ?? 0, ...workersOf(server)];
  for (const pid of all) process.kill(pid, 'SIGINT');
  expect(await pending).toBe(undefined);
  expect(await server.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(all.filter(isAlive)).toEqual([]);
  await upstream.close();
});

test('[A62.3] SIGHUP while the workers start or are replaced replaces all of them once more', async () => {
  await using stored = await createMigratedDatabase();
  await using proxy = await pausingProxy(stored.location.databaseUrl ?? '');
  proxy.cut();
  const environment = { DATABASE_URL: proxy.url, LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: '0' };
  await using server = startWorkers(stored, environment);
  await server.line(/waiting for the database/);
  server.process.kill('SIGHUP');
  proxy.open();
  await addressOf(server);
  await server.line(/replacing the workers one by one/);
  server.process.kill('SIGHUP');
  const replaced = () => server.lines.filter((line) => line.includes('all workers are replaced'));
  await expect.poll(() => replaced().length).toBe(2);
  expect(workersOf(server)).toHaveLength(2);
});

test('[A62.3] a new worker that dies while the old one drains is replaced once', async () => {
  await using stored = await createMigratedDatabase();
  await using server = startWorkers(stored, { LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: '3' });
  await addressOf(server);
  const before = workersOf(server);
  server.process.kill('SIGHUP');
  await server.line(/draining: serving/);
  process.kill(workersOf(server).at(-1) ?? 0, 'SIGKILL');
  await server.line(/a worker died; starting another/);
  await server.line(/all workers are replaced/);
  const after = workersOf(server);
  expect(after).toHaveLength(2);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
});

test('[A62.4] SIGHUP while the database is unreachable keeps the workers and logs the failure', async () => {
  await using stored = await createMigratedDatabase();
  await using proxy = await pausingProxy(stored.location.databaseUrl ?? '');
  await using server = startWorkers(stored, { DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: '0', LOG_LEVEL: 'info' });
  await addressOf(server);
  const before = workersOf(server);
  proxy.cut();
  server.process.kill('SIGHUP');
  await server.line(/a new worker did not start; keeping the others/);
  expect(workersOf(server)).toEqual(before);
  proxy.open();
  server.process.kill('SIGHUP');
  await server.line(/all workers are replaced/);
  expect(server.lines.filter((line) => line.includes('all workers are replaced'))).toHaveLength(1);
  expect(workersOf(server).filter((pid) => before.includes(pid))).toEqual([]);
});

test('[A62.5] a frozen worker does not prevent the others from ending after one SIGTERM', async () => {
  await using stored = await createMigratedDatabase();
  await using server = startWorkers(stored, { SHUTDOWN_DRAIN_SECONDS: '0', SHUTDOWN_GRACE_SECONDS: '0' });
  await addressOf(server);
  const all = workersOf(server);
  process.kill(all[0] ?? 0, 'SIGSTOP');
  server.process.kill('SIGTERM');
  await server.line(/a worker did not exit in time; killing it/);
  expect(await server.exit).toMatchObject({ code: 1, signal: null });
  expect(all.filter(isAlive)).toEqual([]);
});

test('[A62.5] a frozen worker is killed when it is replaced, or on a second SIGTERM', async () => {
  await using stored = await createMigratedDatabase();
  await using server = startWorkers(stored, {
    LOG_LEVEL: 'info',
    SHUTDOWN_DRAIN_SECONDS: '0',
    SHUTDOWN_GRACE_SECONDS: '0',
  });
  await addressOf(server);
  const [first = 0] = workersOf(server);
  process.kill(first, 'SIGSTOP');
  server.process.kill('SIGHUP');
  await server.line(/all workers are replaced/);
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
