import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { completion, type UpstreamAnswer } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayScene } from '../../testing/relay/relay-scene.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const megabyte = 1024 * 1024;

const app = await useTestApp();
const scene = await relayScene(app, { upstreams: [completion()], quota: 1_000_000_000_000 });
const poor = await relayScene(app, { upstreams: [completion()], quota: 0 });
afterAll(() => Promise.all([scene.close(), poor.close()]));

type Scene = Awaited<ReturnType<typeof relayScene>>;

const chatOf = (content: unknown) => JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] });

function post(bytes: Buffer, { token, post: send }: Scene = scene) {
  const headers = { authorization: `Bearer sk-${token.key}`, 'content-encoding': 'gzip' };
  return send('/v1/chat/completions', '', { headers, body: new Uint8Array(bytes) });
}

const outcomeOf = async (bytes: Buffer) => {
  const response = await post(bytes);
  return `${response.status} ${await response.text()}`;
};

/** Text of which gzip makes about a quarter. */
const text = (bytes: number) =>
  randomBytes(bytes / 8)
    .toString('hex')
    .repeat(4);

/** The last four bytes of gzip say how long the text was. */
function saying(bytes: Buffer, length: number): Buffer {
  bytes.writeUInt32LE(length, bytes.length - 4);
  return bytes;
}

describe('[A24.4] a compressed body that would become too much is refused', () => {
  test.each([
    ['of ten kilobytes that would be ten megabytes, which another one may be', 10],
    ['of twenty kilobytes that would be twenty megabytes', 20],
  ])('%s', async (_, megabytes) => {
    const bomb = gzipSync(chatOf('x'.repeat(megabytes * megabyte)));
    expect(bomb.length).toBeLessThan(megabytes * 1500);
    expect(await outcomeOf(bomb)).toMatch(/^413 .*too large/);
    expect(await outcomeOf(saying(bomb, 100)), 'which lies about it').toMatch(/^413 .*too large/);
  });

  test('of any ratio, when it is more than a compressed one may be', async () => {
    const bytes = gzipSync(chatOf(text(17 * megabyte)), { level: 1 });
    expect(await outcomeOf(bytes)).toMatch(/^413 .*too large/);
    expect(await outcomeOf(saying(bytes, 100)), 'which lies about it').toMatch(/^413 .*too large/);
  });

  test('of several parts, each of which would be small enough', async () => {
    const half = gzipSync(chatOf(text(9 * megabyte)), { level: 1 });
    expect(await outcomeOf(Buffer.concat([half, half]))).toMatch(/^413 .*too large/);
  });

  test('before it is inflated, when it says so itself', async () => {
    // Inflated, it would be found out as broken: it is shorter than it says.
    expect(await outcomeOf(saying(gzipSync(chatOf(text(megabyte / 8))), 2 ** 31))).toMatch(/^413 .*too large/);
  });

  test('and one of ordinary text is read', async () => {
    expect((await post(gzipSync(chatOf(text(2 * megabyte))))).status).toBe(200);
  });
});

describe('[A24.4] a compressed body that is not whole, or not alone', () => {
  const honest = chatOf(text(4096));
  const whole = gzipSync(honest);
  const changed = (at: number) => {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return bytes;
  };

  test.each([
    ['lacks its last byte', whole.subarray(0, -1)],
    ['lacks its check', whole.subarray(0, -8)],
    ['is cut in the middle', whole.subarray(0, whole.length / 2)],
    ['has another check than its text', changed(whole.length - 8)],
    ['has another length than its text', changed(whole.length - 4)],
    ['is followed by something else', Buffer.concat([whole, Buffer.from(honest)])],
    ['is no gzip', Buffer.from(honest)],
  ])('because it %s is refused, and no channel is asked', async (_, bytes) => {
    const before = scene.upstreams[0]?.seen.length;
    expect(await outcomeOf(bytes)).toMatch(/^400 .*The request body is not valid gzip/);
    expect(scene.upstreams[0]?.seen).toHaveLength(before ?? 0);
  });
});

test('[A24.4] a compressed body whose structure is too large once it is inflated is refused', async () => {
  const filler = Array.from({ length: 60_000 }, (_, index) => ({ index }));
  expect(await outcomeOf(gzipSync(chatOf(filler), { level: 1 }))).toMatch(/^413 .*too many elements/);
});

test('[A24.4] a compressed body that would be large is not inflated for an account with nothing on it', async () => {
  // Whole, it would be found to be no JSON.
  expect((await post(gzipSync('x'.repeat(900_000)), poor)).status).toBe(402);
  expect((await post(gzipSync('x'.repeat(900_000)))).status).toBe(400);
});

test('[A24.9] what a compressed body becomes counts, and a request that was refused gives its part back', async () => {
  await using small = await startTestApp({ config: { bodies: { largest: megabyte, budget: megabyte } } });
  const { answers, own } = await holdingScene(small);
  const broken = () => post(gzipSync(randomBytes(5000).toString('hex').repeat(80)), own);
  const running = own.post('/v1/chat/completions', chatOf('x'.repeat(0.7 * megabyte)));
  await expect.poll(() => answers.length).toBe(1);
  for (let turn = 0; turn < 3; turn += 1) expect((await broken()).status).toBe(429);
  answers[0]?.();
  expect((await running).status).toBe(200);
  for (let turn = 0; turn < 3; turn += 1) expect((await broken()).status).toBe(400);
  await own.close();
});

test('[A24.9] a compressed body counts as what it became, no longer as what it was as well', async () => {
  await using small = await startTestApp({ config: { bodies: { largest: megabyte, budget: megabyte } } });
  const { answers, own } = await holdingScene(small);
  const compressed = gzipSync(chatOf(randomBytes(300_000).toString('hex')));
  expect(compressed.length).toBeGreaterThan(300_000);
  const running = post(compressed, own);
  await expect.poll(() => answers.length).toBe(1);
  const beside = own.post('/v1/chat/completions', chatOf('x'.repeat(300_000)));
  await expect.poll(() => answers.length).toBe(2);
  for (const answer of answers) answer();
  for (const { status } of await Promise.all([running, beside])) expect(status).toBe(200);
  await own.close();
});

/** Answers when it is told to. */
async function holdingScene(small: Parameters<typeof relayScene>[0]) {
  const answers: (() => void)[] = [];
  const answer: UpstreamAnswer = async (response, request) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    await completion()(response, request);
  };
  const own = await relayScene(small, { upstreams: [answer], quota: 1_000_000_000 });
  return { answers, own };
}
