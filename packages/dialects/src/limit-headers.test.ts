import { expect, test } from 'vitest';
import { anthropicLimitHeaders, openaiLimitHeaders, rateLimitResetMs } from './limit-headers.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const remaining = {
  requests: { limit: 60, remaining: 12, resetMs: 59_100 },
  tokens: { limit: 1000, remaining: 0, resetMs: 86_399_000 },
};

test("writes the remaining limits as OpenAI's and Anthropic's headers", () => {
  expect(openaiLimitHeaders(remaining)).toEqual({
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '12',
    'x-ratelimit-reset-requests': '1m0s',
    'x-ratelimit-limit-tokens': '1000',
    'x-ratelimit-remaining-tokens': '0',
    'x-ratelimit-reset-tokens': '23h59m59s',
  });
  expect(anthropicLimitHeaders({ requests: remaining.requests }, now)).toEqual({
    'anthropic-ratelimit-requests-limit': '60',
    'anthropic-ratelimit-requests-remaining': '12',
    'anthropic-ratelimit-requests-reset': '2026-11-16T12:01:00Z',
  });
  expect(openaiLimitHeaders({ requests: { limit: 1, remaining: 0, resetMs: 120 } })).toMatchObject({
    'x-ratelimit-reset-requests': '120ms',
  });
});

test.each([
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m26.4s' }, 86_400],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '120ms' }, 120],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '7' }, 7000],
  [
    {
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-16T12:00:30Z',
    },
    30_000,
  ],
  [{ 'x-ratelimit-remaining-requests': '1', 'x-ratelimit-reset-requests': '1m0s' }, 0],
  [{ 'x-ratelimit-remaining-requests': '0' }, 0],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '-5s' }, 0],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': ['1s', '2s'] }, 0],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': `${'9'.repeat(50)}s` }, 0],
  [{ 'anthropic-ratelimit-requests-remaining': '0', 'anthropic-ratelimit-requests-reset': '1999-01-01T00:00:00Z' }, 0],
  [{ 'anthropic-ratelimit-requests-remaining': '0', 'anthropic-ratelimit-requests-reset': '2026-99-99T00:00:00Z' }, 0],
])('reads the remaining wait from %j: %i ms', (headers, ms) => {
  expect(rateLimitResetMs(headers, now)).toBe(ms);
});
