import { channelApi, defaultRoot, sessionApi, tokenApi } from '@headgate/contract';
import { ApiClient, done, StubUpstream, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import { expect } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { createMigratedDatabase, type TestDatabase } from '../database/test-database.ts';
import type { CrashCommand } from './faulty-program.ts';
import { addressOf, runFile } from './program.ts';

/** Resolves when the server refuses connections. */
export async function waitUntilConnectionRefused(url: string): Promise<void> {
  for (;;) {
    const isRejected = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
      () => false,
      (error: { cause?: { code?: string } }) => error.cause?.code === 'ECONNREFUSED',
    );
    if (isRejected) return;
  }
}

const models = 'gpt-4o,tts-1,dall-e-2';

/** Creates a token and a channel to this upstream on the server at `url`; returns functions that send requests. */
export async function createRelayClient(url: string, upstream: StubUpstream, fields: object = {}) {
  const root = new ApiClient(url);
  await root.call(sessionApi.login, { body: defaultRoot });
  const channel = { name: 'stub', type: 8, key: 'upstream-key-123456', base_url: upstream.url, models, ...fields };
  await root.call(channelApi.create, { body: channel });
  const { key } = await root.call(tokenApi.create, { body: { name: 'x', unlimited_quota: true } });
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' };
  const post = (path: string, body: object, init: RequestInit = {}) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body), ...init });
  const chat = (body: object, init: RequestInit = {}) =>
    post('/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body }, init);
  return { post, chat };
}

/** Logged requests, and the user to whom they were charged. Call after the server has stopped. */
export async function storedLedger(stored: TestDatabase) {
  const database = await openDatabase(stored.location);
  const logs = await database.selectFrom('logs').selectAll().where('type', 'in', [2, 5]).execute();
  const user = await database.selectFrom(currentTable(database, 'users')).selectAll().executeTakeFirstOrThrow();
  await database.destroy();
  return { logs, log: logs[0], user, drift: user.credited - user.quota - user.used_quota };
}

export const startFaultyServer = (stored: TestDatabase) =>
  runFile('testing/faulty-program.ts', [], {
    environment: { PORT: '0', ...stored.environment },
    workingDirectory: stored.location.dataDir,
  });

/**
 * Expects an uncaught exception during a stream to be logged once, the stream to complete and be charged, and the
 * process to exit with code 1.
 */
export async function expectGracefulExit(fault: CrashCommand): Promise<void> {
  await using stored = await createMigratedDatabase();
  const rest = Promise.withResolvers<void>();
  const upstream = await StubUpstream.start(async (response, request) => {
    await stream([textChunk('Hello')], 'stall')(response, request);
    await rest.promise;
    response.end([stop, usageEvent, done].join(''));
  });
  await using server = startFaultyServer(stored);
  const url = await addressOf(server);
  const { chat } = await createRelayClient(url, upstream);
  const response = await chat({ stream: true });
  server.process.stdin.write(`${fault}\n`);
  await server.line(/uncaught exception; shutting down/);
  await waitUntilConnectionRefused(url);
  rest.resolve();
  expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
  const { code, signal, stdout } = await server.exit;
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  expect(stdout.match(/planted fault/g)?.length).toBeGreaterThan(0);
  expect(stdout.split('\n').filter((line) => line.includes('planted fault'))).toHaveLength(1);
  await upstream.close();
  const { log, drift } = await storedLedger(stored);
  expect(log).toMatchObject({ type: 2, prompt_tokens: 10, completion_tokens: 5 });
  expect(drift).toBe(0);
}
