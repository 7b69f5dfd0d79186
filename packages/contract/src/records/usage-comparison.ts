import * as z from 'zod/mini';
import type { Endpoint } from '../wire/endpoint.ts';
import { queryInteger } from '../wire/list.ts';

/** Percentiles in milliseconds; null without requests. */
const percentiles = z.object({
  p50: z.nullable(z.int()),
  p95: z.nullable(z.int()),
  p99: z.nullable(z.int()),
});
export type LatencyPercentiles = z.infer<typeof percentiles>;

/** Requests of a model, a channel, or a model on a channel, including mirrored ones. */
const side = z.object({
  requests: z.int(),
  failures: z.int(),
  quota: z.int(),
  cost: z.int(),
  uncosted_quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_tokens: z.int(),
  /** Time to the first byte of streams. */
  first_byte: percentiles,
  /** Total duration. */
  elapsed: percentiles,
});
export type ComparedUsage = z.infer<typeof side>;

const seconds = z._default(queryInteger(0, Number.MAX_SAFE_INTEGER), 0);
const name = z._default(z.string().check(z.trim(), z.maxLength(300)), '');

export const usageComparison = {
  method: 'GET',
  path: '/api/usage/compare',
  access: 'admin',
  query: z.object({
    /** Rounded to whole hours. 0: since the first log. */
    start_timestamp: seconds,
    /** 0: until now. */
    end_timestamp: seconds,
    group: name,
    model: name,
    channel: seconds,
    other_model: name,
    other_channel: seconds,
  }),
  reply: z.object({ first: side, second: side }),
} as const satisfies Endpoint;
