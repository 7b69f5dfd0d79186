import { chunk, done, roleChunk, stop, textChunk, type UpstreamHandler, usageEvent } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures();

/** Requests a stream whose second part is sent after the client received the first. */
async function streamOf(first: string, second: string, quota: number) {
  const isReceived = Promise.withResolvers<void>();
  const inTwoParts: UpstreamHandler = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(first);
    await isReceived.promise;
    response.end(second);
  };
  const fixture = await createFixture({ upstreams: [inTwoParts], quota });
  const response = await fixture.chat({ stream: true, max_tokens: 10 });
  let text = '';
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString();
    isReceived.resolve();
  }
  return { text, reported: eventsIn(text), ...(await fixture.ledger()) };
}

/** Parses only valid events: two merged into one would not parse. */
const eventsIn = (text: string): unknown[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)));

const manyPieces = textChunk('some more words ').repeat(400);

test.each([
  ['with the end', stop + done],
  ['with usage and the end', stop + usageEvent + done],
  ['without an end', ''],
])('delivers nothing beyond the quota when many events arrive together: a chunk %s', async (_, end) => {
  const { text, reported, user, outcomes, drift } = await streamOf(
    roleChunk + textChunk('Hello'),
    manyPieces + end,
    2000,
  );
  expect(text.startsWith(roleChunk + textChunk('Hello'))).toBe(true);
  expect(reported.at(-1)).toMatchObject({ error: { code: 'insufficient_user_quota' } });
  expect(text).not.toContain('[DONE]');
  expect(outcomes).toMatchObject([{ isStream: true, endedBy: 'quota', quota: user.usedQuota }]);
  expect(user.usedQuota).toBeGreaterThan(0);
  expect(user.quota).toBeGreaterThanOrEqual(0);
  expect(drift).toBe(0);
});

test('sends the error as a separate event, even after an incomplete one', async () => {
  const { reported } = await streamOf(roleChunk + textChunk('Hello').slice(0, -1), `\n${manyPieces}`, 2000);
  expect(reported[1]).toMatchObject({ choices: [{ delta: { content: 'Hello' } }] });
  expect(reported.at(-1)).toHaveProperty('error');
});

test('[A4.2] cancels the upstream when a stream ends because the quota is used up', async () => {
  const isCancelled = Promise.withResolvers<void>();
  const silentAfterwards: UpstreamHandler = (response) => {
    response.once('close', isCancelled.resolve);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(roleChunk + manyPieces);
  };
  const { text, outcomes } = await send(silentAfterwards, 2000, { max_tokens: 10 });
  expect(text).toContain('insufficient_user_quota');
  expect(outcomes).toMatchObject([{ endedBy: 'quota' }]);
  await isCancelled.promise;
});

test('forwards a stream in full if it fits the quota', async () => {
  const { text, user, outcomes } = await streamOf(
    roleChunk + textChunk('Hello'),
    manyPieces + stop + usageEvent + done,
    100_000,
  );
  expect(text).toBe(roleChunk + textChunk('Hello') + manyPieces + stop + done);
  expect(outcomes).toMatchObject([{ quota: user.usedQuota }]);
});

/** One token each, ten bytes. */
const word = ' something';
const oneByOne =
  (count: number, end: string, delta: (index: number) => string = () => textChunk(word)): UpstreamHandler =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < count && !response.destroyed; sent += 1) {
      await new Promise((resolve) => response.write(delta(sent), resolve));
    }
    response.end(end);
  };

async function send(response: UpstreamHandler, quota: number, body: object) {
  const fixture = await createFixture({ upstreams: [response], quota });
  const text = await (await fixture.chat({ stream: true, ...body })).text();
  return { text, ...(await fixture.ledger()) };
}

/** (8 prompt tokens + completion tokens × 4) × 2.5. */
const priceOf = (tokens: number) => (8 + tokens * 4) * 2.5;
const piecesIn = (text: string) => text.split(word).length - 1;

describe('a stream whose limit is covered by the balance', () => {
  const limit = 92;
  const slack = 100;
  const audio = () => chunk({ audio: { data: 'A'.repeat(6400) } });

  test.each([
    ['long words', () => textChunk(word), limit],
    ['Chinese', (index: number) => textChunk(['人工智能', '正在', '改变', '世界'][index % 4] ?? ''), 115],
    ['letters', (index: number) => textChunk('something'[index % 9] ?? ''), 29],
    ['audio', audio, 2 * limit],
    ['reasoning', () => chunk({ reasoning: word }), limit],
  ])('does not cut a stream within its limit: %s', async (_, delta, tokens) => {
    // The balance equals the reservation, which exceeds the cost because the prompt is reserved by bytes.
    const { text, user, outcomes, drift } = await send(oneByOne(92, stop + done, delta), priceOf(tokens) + slack, {
      max_tokens: tokens,
    });
    expect(text.endsWith(stop + done)).toBe(true);
    expect(outcomes).toMatchObject([{ quota: user.usedQuota }]);
    expect(outcomes[0]?.completionTokens).toBeLessThanOrEqual(tokens);
    expect([user.quota >= 0, drift]).toEqual([true, 0]);
  });

  test('charges a stream by tokens, not by length', async () => {
    const { outcomes } = await send(oneByOne(limit, stop + done), priceOf(limit) + slack, { max_tokens: limit });
    expect(outcomes).toMatchObject([{ completionTokens: limit, quota: priceOf(limit) }]);
  });
});

test('ends a stream that far exceeds its limit when the quota is used up', async () => {
  const { text, user, outcomes, drift } = await send(oneByOne(92, stop + done), priceOf(30), { max_tokens: 20 });
  expect(text).toContain('insufficient_user_quota');
  // 34, because the relay's tokenizer may count 50% more tokens than the model's.
  expect(piecesIn(text)).toBeLessThanOrEqual(34);
  const tokens = Math.min(piecesIn(text), 20);
  expect(outcomes).toMatchObject([{ completionTokens: tokens, quota: priceOf(tokens) }]);
  expect([user.quota >= 0, drift]).toEqual([true, 0]);
});

test('charges a stream that far exceeds its limit for everything delivered when the quota is sufficient', async () => {
  const { text, outcomes } = await send(oneByOne(92, stop + done), 100_000, { max_tokens: 20 });
  expect(text.endsWith(stop + done)).toBe(true);
  expect(outcomes).toMatchObject([{ completionTokens: 92, quota: priceOf(92) }]);
});

test('counts the tokens of a stream without a limit before ending it, and continues if the quota covers them', async () => {
  const tokens = 600;
  const { text, outcomes, drift } = await send(oneByOne(tokens, stop + done), priceOf(tokens), {});
  expect(text.endsWith(stop + done)).toBe(true);
  expect(outcomes).toMatchObject([{ completionTokens: tokens, quota: priceOf(tokens) }]);
  expect(drift).toBe(0);
});

test('charges the delivered tokens of a stream that was ended because the quota was used up', async () => {
  const { text, user, outcomes, drift } = await send(oneByOne(3000, stop + done), priceOf(600), {});
  expect(text).toContain('insufficient_user_quota');
  expect(piecesIn(text)).toBeGreaterThan(500);
  expect(outcomes).toMatchObject([{ completionTokens: piecesIn(text), quota: priceOf(piecesIn(text)) }]);
  expect(JSON.parse(outcomes[0]?.detail ?? '{}').counted).toBe('tokenizer');
  expect([user.quota >= 0, drift]).toEqual([true, 0]);
});

test('the balance never becomes negative when a text has more tokens than its length suggests', async () => {
  const dense = () => textChunk('🜚🝢⳩ꙮ𐑍');
  const { text, user, outcomes, drift } = await send(oneByOne(3000, stop + done, dense), priceOf(600), {});
  expect(text).toContain('insufficient_user_quota');
  expect(outcomes[0]?.quota).toBeGreaterThan(priceOf(500));
  expect([user.quota >= 0, drift]).toEqual([true, 0]);
});
