import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { defaultRoot } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { createMigratedDatabase } from '../testing/database/test-database.ts';
import { addressOf, Program, startServer } from '../testing/process/program.ts';

const loginBody = JSON.stringify(defaultRoot);

/** A login whose body is incomplete: the server has read the headers and waits for the rest. */
async function startLogin(url: string): Promise<ClientRequest> {
  const login = request(`${url}/api/user/login`, {
    method: 'POST',
    // Keep-alive, as in browsers: the connection stays open unless the server closes it.
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

/** Waits until the listening socket is closed. */
async function untilRejected(url: string): Promise<void> {
  while (await canConnect(url));
}

/** Sends a request on a keep-alive connection. */
async function sendKept(agent: Agent, url: string): Promise<IncomingMessage> {
  const pending = request(url, { agent }).end();
  const [response] = (await once(pending, 'response')) as [IncomingMessage];
  await text(response);
  return response;
}

describe('draining after SIGTERM', () => {
  test('reports not ready, keeps serving and closes keep-alive connections while draining, and ends immediately on a second signal', async () => {
    await using database = await createMigratedDatabase();
    const environment = { ...database.environment, SHUTDOWN_DRAIN_SECONDS: '9999' };
    await using server = startServer(environment, database.location.dataDir);
    const url = await addressOf(server);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await sendKept(agent, `${url}/api/status`)).headers.connection).toBe('keep-alive');
    server.process.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { interval: 5 }).toBe(503);
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
      status: 'not ready',
      reasons: ['the server is shutting down'],
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const kept = await sendKept(agent, `${url}/api/status`);
    expect([kept.statusCode, kept.headers.connection]).toEqual([200, 'close']);
    const login = await startLogin(url);
    expect(await finishLogin(login)).toMatchObject({ status: 200 });
    const relayed = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: '{}' });
    expect([relayed.status, relayed.headers.get('connection')]).toEqual([401, 'close']);
    server.process.kill('SIGTERM');
    await untilRejected(url);
    expect(await server.exit).toMatchObject({ code: 1, signal: null });
  });

  test('SIGINT ends the process without draining', async () => {
    await using database = await createMigratedDatabase();
    const environment = { ...database.environment, SHUTDOWN_DRAIN_SECONDS: '9999' };
    await using server = startServer(environment, database.location.dataDir);
    const url = await addressOf(server);
    server.process.kill('SIGINT');
    await untilRejected(url);
    expect(await server.exit).toMatchObject({ code: 0, signal: null });
  });
});

describe('shutdown on a signal', () => {
  // A single process has no workers to replace: its supervisor restarts it.
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '[A62.1] finishes an in-flight request on %s and exits with code 0',
    async (signal) => {
      await using database = await createMigratedDatabase();
      await using server = startServer(database.environment, database.location.dataDir);
      const url = await addressOf(server);
      const login = await startLogin(url);
      server.process.kill(signal);
      await untilRejected(url);
      expect(await finishLogin(login)).toEqual({ status: 200, body: expect.objectContaining({ success: true }) });
      expect(await server.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    },
  );

  test('an idle keep-alive connection does not delay the exit', async () => {
    await using database = await createMigratedDatabase();
    await using server = startServer(database.environment, database.location.dataDir);
    const { hostname, port } = new URL(await addressOf(server));
    const socket = connect(Number(port), hostname);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    server.process.kill('SIGTERM');
    await once(socket.resume(), 'close');
    expect(await server.exit).toMatchObject({ code: 0 });
  });

  test('a second signal ends the process without waiting for the request', async () => {
    await using database = await createMigratedDatabase();
    await using server = startServer(database.environment, database.location.dataDir);
    const url = await addressOf(server);
    const login = await startLogin(url);
    const broken = once(login, 'error');
    server.process.kill('SIGTERM');
    await untilRejected(url);
    server.process.kill('SIGTERM');
    expect(await server.exit).toMatchObject({ code: 1 });
    expect(await broken).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
  });
});

test('[A62.2] a signal that arrives just as the start completes ends the process', async () => {
  const source = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const program = `
    import { exitOnSignalDuringStart } from ${source('early-exit.ts')};
    import { shutDownGracefully } from ${source('graceful-shutdown.ts')};
    import { Shutdown } from ${source('../platform/runtime/shutdown.ts')};
    exitOnSignalDuringStart();
    // Delivered when the program is idle, after the other listeners were added.
    process.kill(process.pid, 'SIGTERM');
    const close = async () => void process.stdout.write('closed');
    shutDownGracefully({ shutdown: new Shutdown(), drainMs: 0, graceMs: 0, close, logger: {} });
    setTimeout(() => process.exit(2), 5000);`;
  const { exit } = new Program(process.execPath, ['--input-type=module', '--eval', program]);
  expect(await exit).toEqual({ code: 0, signal: null, stdout: 'closed', stderr: '' });
});
