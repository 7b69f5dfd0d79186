import * as z from 'zod/mini';
import { logReasonOrOther } from '../records/log.ts';

/** Health of a channel, from tests and requests. */
export const channelHealth = {
  /** True if the last test or request failed. */
  is_failing: z._default(z.boolean(), false),
  /** Remaining cooldown in seconds; 0: not cooling down. */
  cooldown_seconds: z._default(z.int(), 0),
  /** Models that are skipped until a test succeeds; an empty name: all models. */
  paused_models: z._default(z.array(z.string()), []),
  /** Reason and upstream message of the last failed test; empty if the last test succeeded or there was none. */
  test_reason: logReasonOrOther,
  test_message: z._default(z.string(), ''),
  /** HTTP status of the upstream; 0: no response. */
  test_status: z._default(z.int(), 0),
  tested_model: z._default(z.string(), ''),
  /** Time of the last failed request; 0: none failed. */
  failure_time: z._default(z.int(), 0),
  failure_reason: logReasonOrOther,
  failure_message: z._default(z.string(), ''),
  failure_status: z._default(z.int(), 0),
  failure_model: z._default(z.string(), ''),
  /** Number of consecutive failed requests. */
  failure_count: z._default(z.int(), 0),
} as const;

/** Result of a background test for one channel. */
export const testResult = z.object({
  id: z.int(),
  name: z.string(),
  model: z.string(),
  /** Milliseconds until the response or the failure. */
  ms: z.int(),
  /** Empty: the test succeeded. */
  reason: logReasonOrOther,
  message: z.string(),
  /** HTTP status of the upstream; 0: no response. */
  status: z.int(),
  /** Status change made by the test; empty: none. */
  became: z.enum(['', 'enabled', 'disabled']),
});
export type TestResult = z.infer<typeof testResult>;
