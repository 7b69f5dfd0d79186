import { defaultRoot, nodeApi, sessionApi } from '@headgate/contract';
import { ApiClient, StubUpstream } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { pausingProxy } from '../../testing/database/pausing-proxy.ts';
import { createMigratedDatabase, createTestDatabase } from '../../testing/database/test-database.ts';
import { addressOf } from '../../testing/process/program.ts';
import { createLoadToken, sendLoadRequest, slowResponse, steadyLoad } from '../../testing/process/steady-load.ts';
import { isAlive, startWorkers, workersOf } from '../../testing/process/worker-programs.ts';

test('workers share one port, killed workers are replaced, and SIGTERM ends all of them with code 0', async () => {
  await using stored = await createTestDatabase();
  await using server = startWorkers(stored);
  const url = await addressOf(server);
  expect(server.lines[0]).toMatch(/password 123456 and change it\. 2 workers are serving\.$/);
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

test('SIGHUP replaces the workers one by one without losing a request or failing /readyz, and workers end when their primary is killed', async () => {
  await using stored = await createMigratedDatabase();
  const upstream = await StubUpstream.start(slowResponse);
  // On a busy machine a client may take seconds to notice that its connection is closed.
  await using server = startWorkers(stored, { LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: '3' });
  const url = await addressOf(server);
  const key = await createLoadToken(url, upstream);
  await expect.poll(() => sendLoadRequest(url, key, false)).toBe(undefined);
  const before = workersOf(server);
  const load = steadyLoad(url, key, 4);
  const looks: (number | string)[] = [];
  const look = async () => looks.push(await fetch(`${url}/readyz`).then(({ status }) => status, String));
  const looking = setInterval(() => void look(), 100);
  server.process.kill('SIGHUP');
  await server.line(/all workers are replaced/);
  clearInterval(looking);
  const { failures, requested } = await load.end();
  expect(failures).toEqual([]);
  expect(requested).toBeGreaterThan(10);
  expect(new Set(looks)).toEqual(new Set([200]));
  const after = workersOf(server);
  expect(after).toHaveLength(2);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  server.process.kill('SIGKILL');
  await expect.poll(() => after.filter(isAlive)).toEqual([]);
  await upstream.close();
});

test('[A62.2] SIGTERM ends the process while the first worker waits for the database', async () => {
  await using stored = await createMigratedDatabase();
  await using proxy = await pausingProxy(stored.location.databaseUrl ?? '');
  proxy.cut();
  await using server = startWorkers(stored, { DATABASE_URL: proxy.url });
  await server.line(/waiting for the database/);
  const workers = workersOf(server);
  server.process.kill('SIGTERM');
  expect(await server.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(workers.filter(isAlive)).toEqual([]);
});

test('[A62.4] the ready line reports the number of serving workers if some do not start', async () => {
  await using stored = await createMigratedDatabase();
  await using proxy = await pausingProxy(stored.location.databaseUrl ?? '');
  // Enough for the first worker, but not for another.
  proxy.allow(10);
  await using server = startWorkers(stored, { DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: '0', WORKERS: '3' });
  expect(await server.line(/ is ready at /)).toMatch(/ 1 of 3 workers is serving; the others are being restarted\.$/);
  expect((await fetch(`${await addressOf(server)}/healthz`)).status).toBe(200);
});

test('[A62.3 A62.5] a worker that dies while it is being replaced is replaced once, and a frozen one does not prevent the others from ending, or the primary after a second SIGTERM', async () => {
  await using stored = await createMigratedDatabase();
  const times = { SHUTDOWN_DRAIN_SECONDS: '0', SHUTDOWN_GRACE_SECONDS: '0' };
  await using server = startWorkers(stored, { LOG_LEVEL: 'info', ...times });
  await addressOf(server);
  const [first = 0] = workersOf(server);
  server.process.kill('SIGHUP');
  await server.line(/replacing the workers one by one/);
  process.kill(first, 'SIGKILL');
  await server.line(/a worker died; starting another/);
  await server.line(/all workers are replaced/);
  const all = workersOf(server);
  expect(all).toHaveLength(2);
  process.kill(all[0] ?? 0, 'SIGSTOP');
  server.process.kill('SIGTERM');
  await expect.poll(() => all.filter(isAlive)).toHaveLength(1);
  server.process.kill('SIGTERM');
  expect(await server.exit).toMatchObject({ code: 1, signal: null });
  expect(all.filter(isAlive)).toEqual([]);
});

test('[A62.9] no worker reports ready after SIGTERM, even while workers are replaced', async () => {
  await using stored = await createMigratedDatabase();
  await using server = startWorkers(stored, { LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: '600' });
  const url = await addressOf(server);
  server.process.kill('SIGHUP');
  await server.line(/draining: serving/);
  server.process.kill('SIGTERM');
  const look = async () => (await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).status;
  // Enough requests to reach all three serving workers: the one being replaced, its successor, and one not yet
  // replaced.
  const looks = async () => new Set(await Promise.all(Array.from({ length: 12 }, look)));
  await expect.poll(looks).toEqual(new Set([503]));
});
