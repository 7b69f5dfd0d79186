import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { completion, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const megabyte = 1024 * 1024;

const app = await useTestApp();
const scene = await relayFixture(app, { upstreams: [completion()], quota: 1_000_000_000_000 });
const poor = await relayFixture(app, { upstreams: [completion()], quota: 0 });
afterAll(() => Promise.all([scene.close(), poor.close()]));

type Scene = Awaited<ReturnType<typeof relayFixture>>;

const chatOf = (content: unknown) => JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] });

function post(bytes: Buffer, { token, post: send }: Scene = scene) {
  const headers = { authorization: `Bearer sk-${token.key}`, 'content-encoding': 'gzip' };
  return send('/v1/chat/completions', '', { headers, body: new Uint8Array(bytes) });
}

const outcomeOf = async (bytes: Buffer) => {
  const response = await post(bytes);
  return `${response.status} ${await response.text()}`;
};

/** Text that gzip compresses to about a quarter. */
const text = (bytes: number) =>
  randomBytes(bytes / 8)
    .toString('hex')
    .repeat(4);

/** Overwrites the last four bytes of gzip data, which hold the uncompressed length. */
function saying(bytes: Buffer, length: number): Buffer {
  bytes.writeUInt32LE(length, bytes.length - 4);
  return bytes;
}

describe('[A24.4] compressed bodies that inflate too much', () => {
  test.each([
    ['ten kilobytes that inflate to ten megabytes', 10],
    ['twenty kilobytes that inflate to twenty megabytes', 20],
  ])('rejects %s', async (_, megabytes) => {
    const bomb = gzipSync(chatOf('x'.repeat(megabytes * megabyte)));
    expect(bomb.length).toBeLessThan(megabytes * 1500);
    expect(await outcomeOf(bomb)).toMatch(/^413 .*too large/);
    expect(await outcomeOf(saying(bomb, 100)), 'which lies about it').toMatch(/^413 .*too large/);
  });

  test('rejects a body of any ratio that exceeds the limit for compressed bodies', async () => {
    const bytes = gzipSync(chatOf(text(17 * megabyte)), { level: 1 });
    expect(await outcomeOf(bytes)).toMatch(/^413 .*too large/);
    expect(await outcomeOf(saying(bytes, 100)), 'which lies about it').toMatch(/^413 .*too large/);
  });

  test('rejects several gzip members that are each small enough', async () => {
    const half = gzipSync(chatOf(text(9 * megabyte)), { level: 1 });
    expect(await outcomeOf(Buffer.concat([half, half]))).toMatch(/^413 .*too large/);
  });

  test('rejects a body before inflating it if its declared size is too large', async () => {
    // Inflating would fail, because the data is shorter than declared.
    expect(await outcomeOf(saying(gzipSync(chatOf(text(megabyte / 8))), 2 ** 31))).toMatch(/^413 .*too large/);
  });

  test('accepts ordinary text', async () => {
    expect((await post(gzipSync(chatOf(text(2 * megabyte))))).status).toBe(200);
  });
});

describe('[A24.4] incomplete compressed bodies and extra data', () => {
  const honest = chatOf(text(4096));
  const whole = gzipSync(honest);
  const changed = (at: number) => {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return bytes;
  };

  test.each([
    ['lacks its last byte', whole.subarray(0, -1)],
    ['lacks its checksum', whole.subarray(0, -8)],
    ['is truncated in the middle', whole.subarray(0, whole.length / 2)],
    ['has a wrong checksum', changed(whole.length - 8)],
    ['has a wrong length', changed(whole.length - 4)],
    ['is followed by other data', Buffer.concat([whole, Buffer.from(honest)])],
    ['is not gzip', Buffer.from(honest)],
  ])('rejects a compressed body without an upstream request if it %s', async (_, bytes) => {
    const before = scene.upstreams[0]?.received.length;
    expect(await outcomeOf(bytes)).toMatch(/^400 .*The request body is not valid gzip/);
    expect(scene.upstreams[0]?.received).toHaveLength(before ?? 0);
  });
});

test('[A24.4] rejects a compressed body whose structure is too large after inflating', async () => {
  const filler = Array.from({ length: 60_000 }, (_, index) => ({ index }));
  expect(await outcomeOf(gzipSync(chatOf(filler), { level: 1 }))).toMatch(/^413 .*too many elements/);
});

test('[A24.4] does not inflate a large compressed body for an account without balance', async () => {
  // If it were inflated, it would be rejected as invalid JSON.
  expect((await post(gzipSync('x'.repeat(900_000)), poor)).status).toBe(402);
  expect((await post(gzipSync('x'.repeat(900_000)))).status).toBe(400);
});

test('[A24.9] counts the inflated size of a compressed body, and frees it when the request is rejected', async () => {
  await using small = await startTestApp({ config: { bodies: { maxBytes: megabyte, budget: megabyte } } });
  const { responders, own } = await holdingScene(small);
  const broken = () => post(gzipSync(randomBytes(5000).toString('hex').repeat(80)), own);
  const running = own.post('/v1/chat/completions', chatOf('x'.repeat(0.7 * megabyte)));
  await expect.poll(() => responders.length).toBe(1);
  for (let turn = 0; turn < 3; turn += 1) expect((await broken()).status).toBe(429);
  responders[0]?.();
  expect((await running).status).toBe(200);
  for (let turn = 0; turn < 3; turn += 1) expect((await broken()).status).toBe(400);
  await own.close();
});

test('[A24.9] counts a compressed body only by its inflated size', async () => {
  await using small = await startTestApp({ config: { bodies: { maxBytes: megabyte, budget: megabyte } } });
  const { responders, own } = await holdingScene(small);
  const compressed = gzipSync(chatOf(randomBytes(300_000).toString('hex')));
  expect(compressed.length).toBeGreaterThan(300_000);
  const running = post(compressed, own);
  await expect.poll(() => responders.length).toBe(1);
  const concurrent = own.post('/v1/chat/completions', chatOf('x'.repeat(300_000)));
  await expect.poll(() => responders.length).toBe(2);
  for (const respond of responders) respond();
  for (const { status } of await Promise.all([running, concurrent])) expect(status).toBe(200);
  await own.close();
});

/** An upstream that responds on demand. */
async function holdingScene(small: Parameters<typeof relayFixture>[0]) {
  const responders: (() => void)[] = [];
  const respond: UpstreamHandler = async (response, request) => {
    await new Promise<void>((resolve) => responders.push(resolve));
    await completion()(response, request);
  };
  const own = await relayFixture(small, { upstreams: [respond], quota: 1_000_000_000 });
  return { responders, own };
}
