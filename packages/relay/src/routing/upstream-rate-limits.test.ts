import { completion, reply, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures();

/** Longest cooldown that an upstream can cause with one response. */
const maxCooldownMs = 300_000;

type Headers = Readonly<Record<string, string | string[]>>;

const openai = (reset: string, remaining = '0'): Headers => ({
  'x-ratelimit-remaining-requests': remaining,
  'x-ratelimit-reset-requests': reset,
});
const anthropic = (reset: string): Headers => ({
  'anthropic-ratelimit-tokens-remaining': '0',
  'anthropic-ratelimit-tokens-reset': reset,
});

const withHeaders =
  (headers: Headers, respond: UpstreamHandler): UpstreamHandler =>
  (response, request) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return respond(response, request);
  };

/** Sends requests with a fake clock; returns how many the first of two channels received. */
async function sendRequests(first: UpstreamHandler) {
  let now = 1000;
  const fixture = await createFixture({ upstreams: [first, completion()], retries: 1, ports: { clock: () => now } });
  return {
    goOn: (ms: number) => {
      now += ms;
    },
    ask: async () => {
      expect((await fixture.chat()).status).toBe(200);
      // Response headers are processed after the response has ended.
      await fixture.ledger();
      return fixture.upstreams[0]?.received.length;
    },
  };
}

const tooMany = reply({ error: { message: 'slow down' } }, 429);

/** Invalid values, which must have no effect. */
const nonsense: readonly (readonly [string, Headers])[] = [
  ['a negative time', openai('-5s')],
  ['a value that is not a number', openai('NaN')],
  ['infinity', openai('Infinity')],
  ['an exponent', openai('1e308')],
  ['an exponent in seconds', openai('1e308s')],
  ['a hundred digits', openai('9'.repeat(100))],
  ['a negative remainder', openai('1h', '-1')],
  ['a remainder that is not a number', openai('1h', '0x0')],
  ['a time in the past', anthropic('0001-01-01T00:00:00Z')],
  ['an invalid date', anthropic('2026-02-99T99:99:99Z')],
  ['a six-digit year', anthropic('+275760-09-13T00:00:00Z')],
];

/** Valid values, which are capped at five minutes. */
const threats: readonly (readonly [string, Headers])[] = [
  ['a thousand years in hours', openai('9999999h')],
  ['all units combined', openai('9999999h9999999m9999999s')],
  ['millions of seconds', openai('9999999')],
  ['the year 9999', anthropic('9999-12-31T23:59:59Z')],
];

describe('[A53.11] upstreams that report false rate limits', () => {
  test.each(nonsense)('[A53.11] ignores %s in the rate limit headers', async (_, headers) => {
    const { ask } = await sendRequests(withHeaders(headers, completion()));
    expect([await ask(), await ask(), await ask()]).toEqual([1, 2, 3]);
  });

  test.each(threats)(
    '[A53.11] skips a channel for at most five minutes per response when it reports %s',
    async (_, headers) => {
      const { ask, goOn } = await sendRequests(withHeaders(headers, completion()));
      for (const count of [1, 2, 3]) {
        expect([await ask(), await ask()]).toEqual([count, count]);
        goOn(maxCooldownMs - 1);
        expect(await ask()).toBe(count);
        goOn(1);
      }
    },
  );

  const rejections: readonly (readonly [string, Headers])[] = [
    ['a Retry-After of eleven days', { 'retry-after': '999999' }],
    ['a Retry-After above the safe range', { 'retry-after': '9'.repeat(400) }],
    ['a Retry-After in the past', { 'retry-after': '-1' }],
    ['a Retry-After in the year 9999', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }],
    ['two values', { 'retry-after': ['1', '999999'] }],
    ...threats,
    ...nonsense,
  ];
  test.each(rejections)('[A53.11] retries a channel within five minutes after an error with %s', async (_, headers) => {
    const { ask, goOn } = await sendRequests(withHeaders(headers, tooMany));
    expect(await ask()).toBe(1);
    goOn(maxCooldownMs);
    expect(await ask()).toBe(2);
  });

  test('[A53.11] thousands of rate limit headers affect neither the response nor the channel', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, nth) => [`x-ratelimit-reset-${nth}`, '9999999h'] as const),
    );
    let isMany = true;
    const { ask, goOn } = await sendRequests((response, request) =>
      (isMany ? withHeaders(many, completion()) : completion())(response, request),
    );
    await ask();
    isMany = false;
    goOn(maxCooldownMs);
    const before = (await ask()) ?? 0;
    expect(await ask()).toBe(before + 1);
  });
});
