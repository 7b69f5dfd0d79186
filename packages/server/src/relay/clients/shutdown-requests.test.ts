import { reply, StubUpstream, stream, textChunk, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { createMigratedDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { addressOf, startServer } from '../../testing/process/program.ts';
import {
  createRelayClient,
  expectGracefulExit,
  startFaultyServer,
  storedLedger,
  waitUntilConnectionRefused,
} from '../../testing/process/shutdown-fixture.ts';
import { readUntil } from '../../testing/relay/read-until.ts';
import { startTestApp } from '../../testing/test-app.ts';

/** An app without a grace period for in-flight requests; `lines` collects its errors and warnings. */
async function startWithoutGrace(stored: TestDatabase) {
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line);
  const { url, close } = await startTestApp({ on: stored, config: { shutdownGraceMs: 0 }, onLine });
  return { url, close, lines };
}

test('charges a client that disconnects during a shutdown before the database closes', async () => {
  await using stored = await createMigratedDatabase();
  const upstream = await StubUpstream.start(stream([textChunk('Hello')], 'stall'));
  const { url, close } = await startTestApp({ on: stored });
  const { chat } = await createRelayClient(url, upstream);
  const gone = new AbortController();
  const response = await chat({ stream: true }, { signal: gone.signal });
  await response.body?.getReader().read();
  const closed = close();
  await waitUntilConnectionRefused(url);
  gone.abort();
  await closed;
  await upstream.close();
  const { log, user } = await storedLedger(stored);
  expect(log).toMatchObject({ content: 'Client disconnected', is_stream: 1 });
  expect(log?.quota).toBeGreaterThan(0);
  expect(user).toMatchObject({ used_quota: log?.quota, quota: user.credited - Number(log?.quota), request_count: 1 });
});

describe('[A4.8] requests that exceed the shutdown grace period', () => {
  const error = '"code":"server_shutting_down"';

  test('ends a stream with an error event and charges its delivered part', async () => {
    await using stored = await createMigratedDatabase();
    const upstream = await StubUpstream.start(stream([textChunk('Hello'), textChunk(' there')], 'stall'));
    const environment = { ...stored.environment, LOG_LEVEL: 'error', SHUTDOWN_GRACE_SECONDS: '0' };
    await using server = startServer(environment, stored.location.dataDir);
    const { chat } = await createRelayClient(await addressOf(server), upstream);
    const reader = (await chat({ stream: true })).body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = await readUntil(reader, 'there');
    server.process.kill('SIGTERM');
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) received += next.value;
    expect(received).toMatch(new RegExp(`data: \\{"error":.*${error}.*\\n\\n$`));
    expect(await server.exit).toMatchObject({ code: 0, stderr: '' });
    await upstream.close();
    const { log, user, drift } = await storedLedger(stored);
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
    'ends a stream in the %s dialect with an error of that dialect and charges its delivered part',
    async (_, path, body, end) => {
      await using stored = await createMigratedDatabase();
      const upstream = await StubUpstream.start(stream([textChunk('Hello'), textChunk(' there')], 'stall'));
      const app = await startWithoutGrace(stored);
      const { post } = await createRelayClient(app.url, upstream);
      const reader = (await post(path, body)).body?.pipeThrough(new TextDecoderStream()).getReader();
      let received = await readUntil(reader, 'there');
      const closed = app.close();
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) received += next.value;
      expect(received).toMatch(end);
      await closed;
      expect(app.lines).toEqual([]);
      await upstream.close();
      const { log, user, drift } = await storedLedger(stored);
      expect(log).toMatchObject({ type: 2, ended_by: 'server' });
      expect(log?.quota).toBeGreaterThan(0);
      expect([user.used_quota, drift]).toEqual([log?.quota, 0]);
    },
  );

  const silent: UpstreamHandler = () => undefined;
  const half: UpstreamHandler = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"choices":');
  };

  test.each([
    ['no response head', silent],
    ['half a response', half],
    ['no event of a stream', stream([': wait\n\n'], 'stall')],
  ])('returns 503 without a charge for a request that got %s from the upstream', async (name, respond) => {
    await using stored = await createMigratedDatabase();
    const upstream = await StubUpstream.start(respond);
    const app = await startWithoutGrace(stored);
    const { chat } = await createRelayClient(app.url, upstream);
    const pending = chat({ stream: name.includes('stream') });
    await expect.poll(() => upstream.received.length).toBe(1);
    const closed = app.close();
    const response = await pending;
    expect(response.status).toBe(503);
    expect(await response.text()).toContain(error);
    await closed;
    expect(app.lines).toEqual([]);
    await upstream.close();
    const { logs, user, drift } = await storedLedger(stored);
    expect(logs).toHaveLength(1);
    expect(user.used_quota).toBe(0);
    expect(drift).toBe(0);
  });

  test.each([
    ['/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' }],
    ['/v1/images/generations', { model: 'dall-e-2', prompt: 'x', stream: true, size: '256x256' }],
  ])('ends a %s response in events with an error event', async (path, body) => {
    await using stored = await createMigratedDatabase();
    const event = 'event: image_generation.partial_image\ndata: {"b64_json":"aGk="}\n\n';
    const upstream = await StubUpstream.start(stream([event], 'stall'));
    const app = await startWithoutGrace(stored);
    const { post } = await createRelayClient(app.url, upstream);
    const response = await post(path, body);
    const closed = app.close();
    const ended = await response.text().catch(() => 'broken off');
    expect(ended).toMatch(error);
    await closed;
    expect(app.lines).toEqual([]);
    await upstream.close();
    const { logs, drift } = await storedLedger(stored);
    expect(logs).toHaveLength(1);
    expect(drift).toBe(0);
  });
});

test.each<[string, UpstreamHandler]>([
  ['is cut off after the first byte', stream([textChunk('Hello')], 'stall')],
  ['gets 503 before the first byte', () => undefined],
])('[A4.8] a request on the proxy route %s and is logged as ended by the server', async (_, respond) => {
  await using stored = await createMigratedDatabase();
  const upstream = await StubUpstream.start(respond);
  const app = await startWithoutGrace(stored);
  const { post } = await createRelayClient(app.url, upstream, { type: 43, models: '' });
  const pending = post('/v1/proxy/1/things', {}).then(async (response) => [response.status, await response.text()]);
  await expect.poll(() => upstream.received.length).toBe(1);
  const closed = app.close();
  const ended = await pending.catch(({ message }: Error) => message);
  expect(ended).toEqual(ended === 'terminated' ? ended : [503, expect.stringContaining('shutting down')]);
  await closed;
  expect(app.lines).toEqual([]);
  await upstream.close();
  const { logs } = await storedLedger(stored);
  expect(logs).toMatchObject([{ ended_by: 'server', content: expect.stringMatching(/^POST: .*shutting down/) }]);
});

describe('[A24.11] uncaught exceptions', () => {
  test('logs only the first of 100 uncaught exceptions, completes and charges a running stream, and exits with code 1', () =>
    expectGracefulExit('throw 100'));

  test('an unhandled rejection ends an idle process immediately', async () => {
    await using stored = await createMigratedDatabase();
    const upstream = await StubUpstream.start(reply({}));
    await using server = startFaultyServer(stored);
    await createRelayClient(await addressOf(server), upstream);
    server.process.stdin.write('reject 1\n');
    expect(await server.exit).toMatchObject({ code: 1, signal: null });
    await upstream.close();
  });
});
