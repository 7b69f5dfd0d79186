import { channelApi, defaultRoot, sessionApi, tokenApi } from '@headgate/contract';
import {
  ApiClient,
  done,
  piece,
  reply,
  StubUpstream,
  stop,
  stream,
  type UpstreamAnswer,
  usageEvent,
} from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../db/database.ts';
import { upToDate } from '../../db/up-to-date.ts';
import type { FaultOrder } from '../../testing/faulty-program.ts';
import { addressOf, type Program, runFile, startServer } from '../../testing/program.ts';
import { readUntil } from '../../testing/read-until.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';

/** Until nobody listens there any more. */
async function untilRefused(url: string): Promise<void> {
  for (;;) {
    const isRefused = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
      () => false,
      (error: { cause?: { code?: string } }) => error.cause?.code === 'ECONNREFUSED',
    );
    if (isRefused) return;
  }
}

const models = 'gpt-4o,tts-1,dall-e-2';

/** Somebody with a token at a started server, whose only channel leads to this upstream. */
async function settleIn(server: Program, upstream: StubUpstream, fields: object = {}) {
  const url = await addressOf(server);
  const root = new ApiClient(url);
  await root.call(sessionApi.login, { body: defaultRoot });
  const channel = { name: 'stub', type: 8, key: 'upstream-key-123456', base_url: upstream.url, models, ...fields };
  await root.call(channelApi.create, { body: channel });
  const { key } = await root.call(tokenApi.create, { body: { name: 'x', unlimited_quota: true } as never });
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' };
  const post = (path: string, body: object, init: RequestInit = {}) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body), ...init });
  const chat = (body: object, init: RequestInit = {}) =>
    post('/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body }, init);
  return { url, post, chat };
}

/** What is stored when the process has ended: the requests, and the account they were charged to. */
async function booksOf(stored: TestDatabase) {
  const database = await openDatabase(stored.location);
  const logs = await database.selectFrom('logs').selectAll().where('type', 'in', [2, 5]).execute();
  const user = await database.selectFrom(upToDate(database, 'users')).selectAll().executeTakeFirstOrThrow();
  await database.destroy();
  return { logs, log: logs[0], user, drift: user.credited - user.quota - user.used_quota };
}

const start = (stored: TestDatabase, environment: Readonly<Record<string, string>> = {}) =>
  startServer({ ...stored.environment, LOG_LEVEL: 'error', ...environment }, stored.location.dataDir);

test('a client that leaves while the server closes is charged before the database is closed', async () => {
  await using stored = await createTestDatabase();
  const upstream = await StubUpstream.start(stream([piece('Hello')], 'stall'));
  await using server = start(stored);
  const { url, chat } = await settleIn(server, upstream);
  const gone = new AbortController();
  const response = await chat({ stream: true }, { signal: gone.signal });
  await response.body?.getReader().read();
  server.process.kill('SIGTERM');
  await untilRefused(url);
  gone.abort();
  expect(await server.exit).toMatchObject({ code: 0, stderr: '' });
  await upstream.close();
  const { log, user } = await booksOf(stored);
  expect(log).toMatchObject({ content: 'The client left', is_stream: 1 });
  expect(log?.quota).toBeGreaterThan(0);
  expect(user).toMatchObject({ used_quota: log?.quota, quota: user.credited - Number(log?.quota), request_count: 1 });
});

describe('[A4.8] past the grace of a shutdown', () => {
  const noGrace = { SHUTDOWN_GRACE_SECONDS: '0' };
  const error = '"code":"server_shutting_down"';

  test('a stream is ended with an error event, and what was delivered is charged', async () => {
    await using stored = await createTestDatabase();
    const upstream = await StubUpstream.start(stream([piece('Hello'), piece(' there')], 'stall'));
    await using server = start(stored, noGrace);
    const { chat } = await settleIn(server, upstream);
    const reader = (await chat({ stream: true })).body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = await readUntil(reader, 'there');
    server.process.kill('SIGTERM');
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) received += next.value;
    expect(received).toMatch(new RegExp(`data: \\{"error":.*${error}.*\\n\\n$`));
    expect(await server.exit).toMatchObject({ code: 0, stderr: '' });
    await upstream.close();
    const { log, user, drift } = await booksOf(stored);
    expect(log).toMatchObject({ type: 2, ended_by: 'server', content: expect.stringContaining('shutting down') });
    expect(log?.completion_tokens).toBeGreaterThan(0);
    expect(log?.quota).toBeGreaterThan(0);
    expect(user.used_quota).toBe(log?.quota);
    expect(drift).toBe(0);
  });

  test.each<[string, string, object, RegExp]>([
    [
      'Anthropic',
      '/v1/messages',
      { model: 'gpt-4o', max_tokens: 90, stream: true, messages: [{ role: 'user', content: 'hi' }] },
      /event: error\ndata: \{"type":"error",.*shutting down.*\}\n\n$/,
    ],
    [
      'Responses',
      '/v1/responses',
      { model: 'gpt-4o', stream: true, input: 'hi' },
      /event: response\.failed\ndata: \{.*"code":"server_shutting_down".*\}\n\n$/,
    ],
    [
      'Gemini',
      '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
      { contents: [{ parts: [{ text: 'hi' }] }] },
      /data: \{"error":\{.*shutting down.*\}\}\r?\n\r?\n$/,
    ],
    [
      'Ollama',
      '/api/chat',
      { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] },
      /\{"error":".*shutting down.*"\}\n$/,
    ],
  ])(
    'a stream of %s ends in the words of that dialect, and what was delivered is charged',
    async (_, path, body, end) => {
      await using stored = await createTestDatabase();
      const upstream = await StubUpstream.start(stream([piece('Hello'), piece(' there')], 'stall'));
      await using server = start(stored, noGrace);
      const { post } = await settleIn(server, upstream);
      const reader = (await post(path, body)).body?.pipeThrough(new TextDecoderStream()).getReader();
      let received = await readUntil(reader, 'there');
      server.process.kill('SIGTERM');
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) received += next.value;
      expect(received).toMatch(end);
      expect(await server.exit).toMatchObject({ code: 0, stderr: '' });
      await upstream.close();
      const { log, user, drift } = await booksOf(stored);
      expect(log).toMatchObject({ type: 2, ended_by: 'server' });
      expect(log?.quota).toBeGreaterThan(0);
      expect([user.used_quota, drift]).toEqual([log?.quota, 0]);
    },
  );

  const silent: UpstreamAnswer = () => undefined;
  const half: UpstreamAnswer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"choices":');
  };

  test.each([
    ['no head of an answer', silent],
    ['half an answer', half],
    ['no event of a stream', stream([': wait\n\n'], 'stall')],
  ])('who has got nothing, because %s has come, is told so and charged nothing', async (name, answer) => {
    await using stored = await createTestDatabase();
    const upstream = await StubUpstream.start(answer);
    await using server = start(stored, noGrace);
    const { chat } = await settleIn(server, upstream);
    const asked = chat({ stream: name.includes('stream') });
    await expect.poll(() => upstream.seen.length).toBe(1);
    server.process.kill('SIGTERM');
    const response = await asked;
    expect(response.status).toBe(503);
    expect(await response.text()).toContain(error);
    expect(await server.exit).toMatchObject({ code: 0, stderr: '' });
    await upstream.close();
    const { logs, user, drift } = await booksOf(stored);
    expect(logs).toHaveLength(1);
    expect(user.used_quota).toBe(0);
    expect(drift).toBe(0);
  });

  test.each([
    ['/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' }],
    ['/v1/images/generations', { model: 'dall-e-2', prompt: 'x', stream: true, size: '256x256' }],
  ])('an answer of %s in events is not taken for whole', async (path, body) => {
    await using stored = await createTestDatabase();
    const event = 'event: image_generation.partial_image\ndata: {"b64_json":"aGk="}\n\n';
    const upstream = await StubUpstream.start(stream([event], 'stall'));
    await using server = start(stored, noGrace);
    const { post } = await settleIn(server, upstream);
    const response = await post(path, body);
    server.process.kill('SIGTERM');
    const ended = await response.text().catch(() => 'broken off');
    expect(ended).toMatch(error);
    expect(await server.exit).toMatchObject({ code: 0, stderr: '' });
    await upstream.close();
    const { logs, drift } = await booksOf(stored);
    expect(logs).toHaveLength(1);
    expect(drift).toBe(0);
  });
});

test.each<[string, UpstreamAnswer]>([
  ['that has begun to be answered is cut', stream([piece('Hello')], 'stall')],
  ['that nobody has answered yet is refused', () => undefined],
])('[A4.8] a call past the proxy route %s, and written down as ended by the server', async (_, answer) => {
  await using stored = await createTestDatabase();
  const upstream = await StubUpstream.start(answer);
  await using server = start(stored, { SHUTDOWN_GRACE_SECONDS: '0' });
  const { post } = await settleIn(server, upstream, { type: 43, models: '' });
  const asked = post('/v1/proxy/1/things', {}).then(async (response) => [response.status, await response.text()]);
  await expect.poll(() => upstream.seen.length).toBe(1);
  server.process.kill('SIGTERM');
  const ended = await asked.catch(({ message }: Error) => message);
  expect(ended).toEqual(ended === 'terminated' ? ended : [503, expect.stringContaining('shutting down')]);
  expect(await server.exit).toMatchObject({ code: 0, stderr: '' });
  await upstream.close();
  const { logs } = await booksOf(stored);
  expect(logs).toMatchObject([{ ended_by: 'server', content: expect.stringMatching(/^POST: .*shutting down/) }]);
});

describe('[A24.11] a fault that nobody caught', () => {
  const startFaulty = (stored: TestDatabase) =>
    runFile('testing/faulty-program.ts', [], {
      environment: { PORT: '0', ...stored.environment },
      workingDirectory: stored.location.dataDir,
    });

  test.each<FaultOrder>(['throw 1', 'reject 1', 'throw 100', 'reject 100'])(
    '(%s) is logged once, a running stream ends well and is charged, and the process ends with 1',
    async (fault) => {
      await using stored = await createTestDatabase();
      const rest = Promise.withResolvers<void>();
      const upstream = await StubUpstream.start(async (response, request) => {
        await stream([piece('Hello')], 'stall')(response, request);
        await rest.promise;
        response.end([stop, usageEvent, done].join(''));
      });
      await using server = startFaulty(stored);
      const { url, chat } = await settleIn(server, upstream);
      const response = await chat({ stream: true });
      server.process.stdin.write(`${fault}\n`);
      await server.line(/a fault that nobody caught/);
      await untilRefused(url);
      rest.resolve();
      expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
      const { code, signal, stdout } = await server.exit;
      expect({ code, signal }).toEqual({ code: 1, signal: null });
      expect(stdout.match(/planted fault/g)?.length).toBeGreaterThan(0);
      expect(stdout.split('\n').filter((line) => line.includes('planted fault'))).toHaveLength(1);
      await upstream.close();
      const { log, drift } = await booksOf(stored);
      expect(log).toMatchObject({ type: 2, prompt_tokens: 10, completion_tokens: 5 });
      expect(drift).toBe(0);
    },
  );

  test('with nothing under way the process ends at once', async () => {
    await using stored = await createTestDatabase();
    const upstream = await StubUpstream.start(reply({}));
    await using server = startFaulty(stored);
    await settleIn(server, upstream);
    server.process.stdin.write('throw 1\n');
    expect(await server.exit).toMatchObject({ code: 1, signal: null });
    await upstream.close();
  });
});
