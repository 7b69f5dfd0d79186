import * as z from 'zod/mini';
import { toldReason } from '../records/log.ts';

/** What tests and requests found out about a channel. */
export const channelHealth = {
  /** Whether the last that was heard of it, by a test or by a request, is a failure. */
  is_failing: z._default(z.boolean(), false),
  /** Seconds for which requests pass it over, because it kept failing; 0: they do not. */
  resting_seconds: z._default(z.int(), 0),
  /** Models that requests pass over until they answer a test; an empty name: all. */
  paused_models: z._default(z.array(z.string()), []),
  /** Why the last test failed, and what the upstream said; empty when it did not, or there was none. */
  test_reason: toldReason,
  test_message: z._default(z.string(), ''),
  /** Status of the upstream; 0 when it did not answer. */
  test_status: z._default(z.int(), 0),
  tested_model: z._default(z.string(), ''),
  /** The last request that failed here; a time of 0: none is known. */
  failure_time: z._default(z.int(), 0),
  failure_reason: toldReason,
  failure_message: z._default(z.string(), ''),
  failure_status: z._default(z.int(), 0),
  failure_model: z._default(z.string(), ''),
  /** Requests that failed here since the last one that did not. */
  failure_count: z._default(z.int(), 0),
} as const;

/** What a run of tests found about one channel. */
export const testResult = z.object({
  id: z.int(),
  name: z.string(),
  model: z.string(),
  /** Milliseconds until the answer, or until the failure. */
  ms: z.int(),
  /** Empty when it answered. */
  reason: toldReason,
  message: z.string(),
  /** Status of the upstream; 0 when it did not answer. */
  status: z.int(),
  /** What the run did with the channel. */
  became: z.enum(['', 'enabled', 'disabled']),
});
export type TestResult = z.infer<typeof testResult>;
