import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { defaultRoot } from '@headgate/contract';
import { StubUpstream } from '@headgate/testkit';
import { describe, expect, inject, test } from 'vitest';
import { openDatabase } from './db/database.ts';
import { pausingProxy } from './testing/pausing-proxy.ts';
import { addressOf, Program, runFile, startServer } from './testing/program.ts';
import { askWhole, makeToken, slowAnswer } from './testing/steady-load.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

const loginBody = JSON.stringify(defaultRoot);

/** A login whose body is still on its way: the server has read the head and waits for the rest. */
async function startLogin(url: string): Promise<ClientRequest> {
  const login = request(`${url}/api/user/login`, {
    method: 'POST',
    // As browsers do: the connection stays open after the reply unless the server closes it.
    agent: new Agent({ keepAlive: true }),
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(loginBody),
      expect: '100-continue',
    },
  });
  login.flushHeaders();
  await once(login, 'continue');
  login.write(loginBody.slice(0, 5));
  return login;
}

async function finishLogin(login: ClientRequest) {
  login.end(loginBody.slice(5));
  const [response] = (await once(login, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) as object };
}

async function canConnect(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Until the listening socket is closed, whenever that is. */
async function untilRefused(url: string): Promise<void> {
  while (await canConnect(url));
}

/** A question on a connection that is kept for the next one. */
async function askKept(agent: Agent, url: string): Promise<IncomingMessage> {
  const asking = request(url, { agent }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  await text(response);
  return response;
}

describe('while it drains after SIGTERM', () => {
  test('it says that it is not ready and serves on, kept connections are told to close, then it refuses new ones', async () => {
    await using database = await createTestDatabase();
    const environment = { ...database.environment, SHUTDOWN_DRAIN_SECONDS: '12' };
    await using server = startServer(environment, database.location.dataDir);
    const url = await addressOf(server);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await askKept(agent, `${url}/api/status`)).headers.connection).toBe('keep-alive');
    server.process.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { interval: 5 }).toBe(503);
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
      status: 'not ready',
      reasons: ['the server is shutting down'],
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const kept = await askKept(agent, `${url}/api/status`);
    expect([kept.statusCode, kept.headers.connection]).toEqual([200, 'close']);
    const login = await startLogin(url);
    expect(await finishLogin(login)).toMatchObject({ status: 200 });
    const relayed = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: '{}' });
    expect([relayed.status, relayed.headers.get('connection')]).toEqual([401, 'close']);
    await untilRefused(url);
    expect(await server.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  test.each([
    ['SIGINT instead, from a person at the keyboard, does not drain', ['SIGINT'], 0],
    ['a second signal does not wait', ['SIGTERM', 'SIGTERM'], 1],
  ] as const)('%s', async (_, signals, code) => {
    await using database = await createTestDatabase();
    const environment = { ...database.environment, SHUTDOWN_DRAIN_SECONDS: '9999' };
    await using server = startServer(environment, database.location.dataDir);
    const url = await addressOf(server);
    for (const signal of signals) {
      server.process.kill(signal);
      if (signals.length > 1) await server.line(/serving on until nothing new is sent here/);
    }
    await untilRefused(url);
    expect(await server.exit).toMatchObject({ code, signal: null });
  });
});

describe('after a signal', () => {
  // A process that serves alone has no workers to replace: a supervisor that reloads it starts it anew.
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '[A62.1] %s: a running request is answered, then the process ends well',
    async (signal) => {
      await using database = await createTestDatabase();
      await using server = startServer(database.environment, database.location.dataDir);
      const url = await addressOf(server);
      const login = await startLogin(url);
      server.process.kill(signal);
      await untilRefused(url);
      expect(await finishLogin(login)).toEqual({ status: 200, body: expect.objectContaining({ success: true }) });
      expect(await server.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    },
  );

  test('a connection that is only kept open does not keep the process', async () => {
    await using database = await createTestDatabase();
    await using server = startServer(database.environment, database.location.dataDir);
    const { hostname, port } = new URL(await addressOf(server));
    const socket = connect(Number(port), hostname);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    server.process.kill('SIGTERM');
    await once(socket.resume(), 'close');
    expect(await server.exit).toMatchObject({ code: 0 });
  });

  test('a second signal does not wait for the request', async () => {
    await using database = await createTestDatabase();
    await using server = startServer(database.environment, database.location.dataDir);
    const url = await addressOf(server);
    const login = await startLogin(url);
    const broken = once(login, 'error');
    server.process.kill('SIGTERM');
    await untilRefused(url);
    server.process.kill('SIGTERM');
    expect(await server.exit).toMatchObject({ code: 1 });
    expect(await broken).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
  });
});

test('[A62.2] a signal that comes in the very moment in which a start is over is heard', async () => {
  const source = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const program = `
    import { leaveWhileStarting } from ${source('leaving-early.ts')};
    import { endInOrder } from ${source('ending.ts')};
    import { Shutdown } from ${source('shutdown.ts')};
    leaveWhileStarting();
    // Told to the program when it is next idle: by then others listen.
    process.kill(process.pid, 'SIGTERM');
    const close = async () => void process.stdout.write('closed');
    endInOrder({ shutdown: new Shutdown(), drainMs: 0, graceMs: 0, close, logger: {} });
    setTimeout(() => process.exit(2), 5000);`;
  const { exit } = new Program(process.execPath, ['--input-type=module', '--eval', program]);
  expect(await exit).toEqual({ code: 0, signal: null, stdout: 'closed', stderr: '' });
});

async function restOf(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
  while (reader && !(await reader.read()).done);
}

/** A server that has delivered part of a stream when its PostgreSQL goes away and it is told to end. */
async function endWithoutDatabase(database: TestDatabase, beforeEnd: () => void) {
  await using proxy = await pausingProxy(database.location.databaseUrl ?? '');
  const upstream = await StubUpstream.start(slowAnswer);
  const environment = { ...database.environment, DATABASE_URL: proxy.url, SHUTDOWN_GRACE_SECONDS: '0' };
  await using server = startServer(environment, database.location.dataDir);
  const url = await addressOf(server);
  const key = await makeToken(url, upstream);
  expect(await askWhole(url, key, false)).toBe(undefined);
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o',
      max_tokens: 50,
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    }),
  });
  const reader = response.body?.getReader();
  await reader?.read();
  proxy.cut();
  beforeEnd();
  server.process.kill('SIGTERM');
  const exit = await server.exit;
  await upstream.close();
  const isBroken = await restOf(reader).then(
    () => false,
    () => true,
  );
  return { exit, lines: server.lines, isBroken };
}

if (inject('database') === 'postgres')
  describe('while PostgreSQL is away', () => {
    test('[A62.8] a process that ends with charges it could neither store nor save says so', async () => {
      await using database = await createTestDatabase();
      const { dataDir } = database.location;
      const { exit, lines, isBroken } = await endWithoutDatabase(database, () => {
        rmSync(dataDir, { recursive: true });
        writeFileSync(dataDir, '');
      });
      expect(exit).toMatchObject({ code: 1, signal: null });
      const lost = lines.find((line) => line.includes('could not be saved')) ?? '{}';
      expect(JSON.parse(lost)).toMatchObject({
        msg: 'charges could not be saved in DATA_DIR; they are lost if the process ends now',
        charges: 1,
        quota: expect.any(Number) as unknown,
      });
      expect(lines.at(-1)).toMatch(/not everything could be stored in time; the process ends all the same/);
      // Whoever waits for the end of such a reply is not told that all is well.
      expect(isBroken).toBe(true);
    });

    test('[A70.5] saves unsettled charges in DATA_DIR at SIGTERM, and the next start stores them once', async () => {
      await using database = await createTestDatabase();
      const { dataDir } = database.location;
      const saved = () => readdirSync(dataDir).filter((name) => name.startsWith('unsettled-charges-'));
      const { exit, isBroken } = await endWithoutDatabase(database, () => undefined);
      expect([exit.code, isBroken]).toEqual([0, false]);
      const [name = '', ...others] = saved();
      expect(others).toEqual([]);
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
      const bytes = readFileSync(join(dataDir, name));
      // The second start finds the file again, as if the first had been killed before it removed it.
      for (const text of [undefined, bytes]) {
        if (text) writeFileSync(join(dataDir, name), text);
        await using server = startServer(database.environment, dataDir);
        await addressOf(server);
        expect(saved()).toEqual([]);
        server.process.kill('SIGTERM');
        await server.exit;
      }
      const read = await openDatabase(database.location);
      const logs = await read.selectFrom('logs').select(['quota', 'is_stream']).where('type', '=', 2).execute();
      await read.destroy();
      expect(logs.map(({ is_stream }) => is_stream)).toEqual([0, 1]);
      expect(logs[1]?.quota).toBeGreaterThan(0);
      const audit = await runFile('audit.ts', [], { environment: database.environment }).exit;
      expect(audit).toMatchObject({ code: 0, stdout: 'ledger balanced: 1 users\n' });
    });
  });
