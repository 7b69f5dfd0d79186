import { randomBytes } from 'node:crypto';
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import {
  chatResponse,
  completion,
  done,
  plainPrice,
  stop,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const megabyte = 1024 * 1024;
const app = await useTestApp({ options: { RetryTimes: '1' } });
const scenes: { close(): Promise<unknown> }[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

/** A channel that sends this response, and a second one that is tried only if the first one fails. */
async function sceneWith(respond: UpstreamHandler) {
  const scene = await relayFixture(app, { upstreams: [respond, completion()], quota: 1_000_000_000 });
  scenes.push(scene);
  const requested = () => scene.upstreams.map(({ received }) => received.length);
  return { ...scene, requested };
}

const encoded =
  (encoding: string, bytes: Buffer, status = 200, type = 'application/json'): UpstreamHandler =>
  (response) => {
    const headers = { 'content-type': type, 'content-encoding': encoding, 'content-length': bytes.length };
    response.writeHead(status, headers).end(bytes);
  };

const encodings: readonly [name: string, encoding: string, (text: string) => Buffer][] = [
  ['gzip', 'gzip', gzipSync],
  ['gzip (x-gzip)', 'X-GZIP', gzipSync],
  ['deflate', 'deflate', deflateSync],
  ['raw deflate', 'deflate', deflateRawSync],
  ['brotli', 'br', brotliCompressSync],
  ['zstandard', 'zstd', zstdCompressSync],
];
const text = JSON.stringify(chatResponse());
const events = [textChunk('Hel'), textChunk('lo'), stop, usageEvent, done].join('');

describe.each(encodings)('[A25.12] %s responses that were not requested', (_, name, encode) => {
  test('decodes a whole response', async () => {
    const { chat, books, requested, upstreams } = await sceneWith(encoded(name, encode(text)));
    const response = await chat();
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null]);
    expect(await response.json()).toEqual(chatResponse());
    expect(requested()).toEqual([1, 0]);
    expect(upstreams[0]?.received[0]?.headers['accept-encoding'] ?? 'identity').toBe('identity');
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });

  test('decodes a stream', async () => {
    const { chat, books, requested } = await sceneWith(encoded(name, encode(events), 200, 'text/event-stream'));
    const received = await (await chat({ stream: true })).text();
    expect(received).toContain(textChunk('Hel') + textChunk('lo'));
    expect(received.endsWith(done)).toBe(true);
    expect(requested()).toEqual([1, 0]);
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });

  test('decodes an error', async () => {
    const errorBody = JSON.stringify({ error: { message: 'Too many words', code: 'context_length' } });
    const { chat, requested } = await sceneWith(encoded(name, encode(errorBody), 400));
    const response = await chat();
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Too many words');
    expect(requested()).toEqual([1, 0]);
  });
});

test('[A25.12] forwards the chunks of a compressed stream as they arrive', async () => {
  const hasRead = Promise.withResolvers<void>();
  const { chat } = await sceneWith(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
    gzip.pipe(response);
    gzip.write(textChunk('first'));
    await hasRead.promise;
    gzip.end(stop + usageEvent + done);
  });
  const reader = (await chat({ stream: true })).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('first');
  hasRead.resolve();
  let rest = '';
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) rest += next.value;
  expect(rest.endsWith(done)).toBe(true);
});

test('[A25.12] forwards a long compressed response completely', async () => {
  const content = randomBytes(6 * megabyte).toString('hex');
  const { chat, books } = await sceneWith(
    encoded('gzip', gzipSync(JSON.stringify(chatResponse({ content })), { level: 1 })),
  );
  expect(await (await chat()).json()).toEqual(chatResponse({ content }));
  expect((await books()).logs).toMatchObject([{ type: 2, ended_by: '' }]);
});

describe('[A25.12] invalid compressed responses', () => {
  const bomb = gzipSync(JSON.stringify(chatResponse({ content: 'x'.repeat(40 * megabyte) })));

  test.each([
    ['inflates to too much', encoded('gzip', bomb)],
    ['is truncated', encoded('gzip', gzipSync(text).subarray(0, -20))],
    ['does not match its encoding', encoded('br', Buffer.from(text))],
  ])('tries another channel if the response %s', async (_, respond) => {
    const { chat, books, requested } = await sceneWith(respond);
    expect((await chat()).status).toBe(200);
    expect(requested()).toEqual([1, 1]);
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });

  test.each([{}, { stream: true }])('returns 502 without a retry for an unknown encoding: %j', async (body) => {
    const { chat, books, requested } = await sceneWith(encoded('rot13', Buffer.from('uryyb')));
    const response = await chat(body);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: 'unknown_encoding' } });
    expect(requested()).toEqual([1, 0]);
    const { logs, drift } = await books();
    expect(logs).toMatchObject([{ type: 5, quota: 0 }]);
    expect(drift).toBe(0);
  });
});
