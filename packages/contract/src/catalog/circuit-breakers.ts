import * as z from 'zod/mini';
import { logReasonOrOther } from '../records/log.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData } from '../wire/list.ts';
import { listedNameLength } from './channel.ts';

/** A model that is skipped on a channel until a test succeeds. */
export const channelCircuitBreaker = z.object({
  /** Empty: all models of the channel. */
  model: z.string(),
  /** Reason and upstream message. */
  reason: logReasonOrOther,
  message: z.string(),
  /** HTTP status of the upstream; 0: no response. */
  status: z.int(),
  since: z.int(),
  /** Time of the next test. */
  next_probe: z.int(),
  /** Seconds between tests; increases with every failed test. */
  pause: z.int(),
  /** Number of failed tests since the model was paused. */
  probes: z.int(),
});
export type ChannelCircuitBreaker = z.infer<typeof channelCircuitBreaker>;

const pausedModel = z.object({ model: z.string().check(z.maxLength(listedNameLength.max)) });

export const circuitBreakerApi = {
  list: {
    method: 'GET',
    path: '/api/channel/:id/pauses',
    access: 'admin',
    params: idParams,
    reply: z.array(channelCircuitBreaker),
  },
  test: {
    method: 'POST',
    path: '/api/channel/:id/pauses/test',
    access: 'admin',
    params: idParams,
    body: pausedModel,
    reply: z.object({
      /** Empty: the test succeeded. */
      reason: logReasonOrOther,
      message: z.string(),
      status: z.int(),
      became: z.enum(['', 'enabled']),
    }),
  },
  end: {
    method: 'POST',
    path: '/api/channel/:id/pauses/end',
    access: 'admin',
    params: idParams,
    body: pausedModel,
    reply: noData,
  },
} as const satisfies EndpointTable;
export type CircuitBreakerTestResult = z.infer<(typeof circuitBreakerApi)['test']['reply']>;
