import * as z from 'zod/mini';
import { toldReason } from '../records/log.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, nothing } from '../wire/list.ts';
import { listedNameLength } from './channel.ts';

/** A model of a channel that requests pass over until it answers a test; or all models of it. */
export const channelPause = z.object({
  /** Empty: the whole channel. */
  model: z.string(),
  /** Why, in a word and in the upstream's words. */
  reason: toldReason,
  message: z.string(),
  /** Status of the upstream; 0 when it did not answer. */
  status: z.int(),
  since: z.int(),
  /** When it is tested next. */
  next_probe: z.int(),
  /** Seconds between the tests; they grow. */
  pause: z.int(),
  /** Tests that failed since. */
  probes: z.int(),
});
export type ChannelPause = z.infer<typeof channelPause>;

const pausedModel = z.object({ model: z.string().check(z.maxLength(listedNameLength.max)) });

export const channelPauseApi = {
  list: {
    method: 'GET',
    path: '/api/channel/:id/pauses',
    access: 'admin',
    params: idParams,
    reply: z.array(channelPause),
  },
  test: {
    method: 'POST',
    path: '/api/channel/:id/pauses/test',
    access: 'admin',
    params: idParams,
    body: pausedModel,
    reply: z.object({
      /** Empty when it answered. */
      reason: toldReason,
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
    reply: nothing,
  },
} as const satisfies EndpointTable;
export type PauseTest = z.infer<(typeof channelPauseApi)['test']['reply']>;
