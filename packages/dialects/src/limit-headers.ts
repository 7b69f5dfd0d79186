type Header = string | readonly string[] | undefined;

interface ResponseHeaders {
  readonly 'retry-after'?: Header;
  readonly date?: Header;
}

const maxSecondsLength = 999_999;
const seconds = /^(\d{1,6})(?:\.\d{1,6})?$/;
/**
 * The current format and the two obsolete ones that parsers must accept: `Sun, 06 Nov 1994 …`, `Sunday, 06-Nov-94 …`,
 * `Sun Nov 6 …`.
 */
const date =
  /^[A-Z][a-z]{2,8}(?:, \d\d[ -][A-Z][a-z]{2}[ -](?:\d\d){1,2} \d\d:\d\d:\d\d GMT| [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * Seconds of a Retry-After header, given as a number or a date; undefined if it is unreadable or in the past. A date is
 * compared with the sender's `Date` header if present, because clock skew may exceed the delay.
 */
export function readRetryAfter(headers: ResponseHeaders, nowMs: number): number | undefined {
  const { 'retry-after': reported } = headers;
  if (typeof reported !== 'string') return undefined;
  if (seconds.test(reported)) return Math.ceil(Number(reported));
  const then = readDate(reported);
  if (then === undefined) return undefined;
  const wait = Math.ceil((then - (readDate(headers.date) ?? nowMs)) / 1000);
  return wait > 0 ? Math.min(wait, maxSecondsLength) : undefined;
}

function readDate(words: Header): number | undefined {
  if (typeof words !== 'string' || !date.test(words)) return undefined;
  const ms = Date.parse(words.endsWith('GMT') ? words : `${words} GMT`);
  return Number.isFinite(ms) ? ms : undefined;
}

/** Remaining allowance under a limit, and the time until it resets. */
export interface RemainingLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** Remaining limits of a request; absent for kinds without a limit. */
export interface RemainingLimits {
  readonly requests?: RemainingLimit | undefined;
  readonly tokens?: RemainingLimit | undefined;
}

export type LimitHeaders = Readonly<Record<string, string>>;

/** Headers in OpenAI's format, which clients of most dialects read. */
export function openaiLimitHeaders({ requests, tokens }: RemainingLimits): LimitHeaders {
  if (!tokens) return requests ? openaiRequests(requests) : {};
  return requests ? { ...openaiRequests(requests), ...openaiTokens(tokens) } : openaiTokens(tokens);
}

// Written out, because building header names per response costs more than the counting itself.
const openaiRequests = ({ limit, remaining, resetMs }: RemainingLimit): LimitHeaders => ({
  'x-ratelimit-limit-requests': String(limit),
  'x-ratelimit-remaining-requests': String(remaining),
  'x-ratelimit-reset-requests': duration(resetMs),
});

const openaiTokens = ({ limit, remaining, resetMs }: RemainingLimit): LimitHeaders => ({
  'x-ratelimit-limit-tokens': String(limit),
  'x-ratelimit-remaining-tokens': String(remaining),
  'x-ratelimit-reset-tokens': duration(resetMs),
});

/** `6m0s`, `1s`, `120ms`. */
function duration(ms: number): string {
  if (ms > 0 && ms < 1000) return `${Math.ceil(ms)}ms`;
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60] as const;
  const [hours, minutes, rest] = parts;
  if (hours > 0) return `${hours}h${minutes}m${rest}s`;
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`;
}

/** Headers in Anthropic's format. */
export function anthropicLimitHeaders({ requests, tokens }: RemainingLimits, now: number): LimitHeaders {
  return {
    ...(requests && anthropicNames('requests', requests, now)),
    ...(tokens && anthropicNames('tokens', tokens, now)),
  };
}

const anthropicNames = (kind: string, { limit, remaining, resetMs }: RemainingLimit, now: number): LimitHeaders => ({
  [`anthropic-ratelimit-${kind}-limit`]: String(limit),
  [`anthropic-ratelimit-${kind}-remaining`]: String(remaining),
  [`anthropic-ratelimit-${kind}-reset`]: new Date(Math.ceil((now + resetMs) / 1000) * 1000)
    .toISOString()
    .replace('.000', ''),
});

const nothingLeft: RemainingLimit = { limit: 0, remaining: 0, resetMs: 0 };
const bothKinds: RemainingLimits = { requests: nothingLeft, tokens: nothingLeft };

/** Names of all rate limit headers. */
export const limitHeaderNames: readonly string[] = [
  ...Object.keys(openaiLimitHeaders(bothKinds)),
  ...Object.keys(anthropicLimitHeaders(bothKinds, 0)),
];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

interface LimitHeaderSet {
  readonly remaining: string;
  readonly reset: string;
  readonly read: (words: Headers[string], now: number) => number;
}

/** Built once, because every response is checked against it. */
const limitHeaderSets: readonly LimitHeaderSet[] = ['requests', 'tokens', 'input-tokens', 'output-tokens'].flatMap(
  (kind) => [
    { remaining: `x-ratelimit-remaining-${kind}`, reset: `x-ratelimit-reset-${kind}`, read: readDuration },
    {
      remaining: `anthropic-ratelimit-${kind}-remaining`,
      reset: `anthropic-ratelimit-${kind}-reset`,
      read: readTime,
    },
  ],
);

/**
 * Milliseconds until an exhausted rate limit of an upstream resets, from its headers; 0: not exhausted, or not
 * readable.
 */
export function rateLimitResetMs(headers: Headers, now: number): number {
  let longest = 0;
  for (const { remaining, reset, read } of limitHeaderSets) {
    if (headers[remaining] === '0') longest = Math.max(longest, read(headers[reset], now));
  }
  return longest;
}

const maxDurationLength = 40;
const durationPart = /(\d{1,7}|\d{1,7}\.\d{1,6})(ms|h|m|s)/g;
const unitMs = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

/** `1m26.4s`, `120ms`, or plain seconds. */
function readDuration(words: Headers[string]): number {
  if (typeof words !== 'string' || words.length > maxDurationLength) return 0;
  if (/^\d{1,7}$/.test(words)) return Number(words) * 1000;
  const parts = [...words.matchAll(durationPart)];
  if (parts.map(([part]) => part).join('') !== words) return 0;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs], 0);
}

function readTime(words: Headers[string], now: number): number {
  if (typeof words !== 'string' || words.length > maxDurationLength || !/^\d{4}-\d\d-\d\dT/.test(words)) return 0;
  const ms = Date.parse(words) - now;
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}
