import * as z from 'zod/mini';
import { toldReason } from '../records/log.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, rowId } from '../wire/list.ts';
import { channelStatus } from './channel.ts';

/** So many keys one channel has at most. */
export const mostKeysOfChannel = 500;

/** One of the keys of a channel. The key itself is never told; its end tells it from the others. */
export const channelKey = z.object({
  /** 0: the only key of the channel, which has no state of its own. */
  id: z.int(),
  /** The last characters of the key; empty where it is too short to tell any. */
  hint: z.string(),
  /** How many requests it gets, compared to the others. */
  weight: z.int(),
  /** In the words of a channel's status. */
  status: z.int(),
  /** Why it was disabled, as far as it is known. */
  status_reason: z.string(),
  /** Seconds for which requests pass it over on this node; 0: they do not. */
  resting_seconds: z.int(),
  created_time: z.int(),
  /** 0: never. */
  used_time: z.int(),
  request_count: z.int(),
  /** Requests that failed because of the key. */
  failure_count: z.int(),
  /** The last of them, or the last test that failed; a time of 0: none is known. */
  failure_time: z.int(),
  failure_reason: toldReason,
  failure_message: z.string(),
  /** Status of the upstream; 0 when it did not answer. */
  failure_status: z.int(),
  /** 0: not tested. */
  test_time: z.int(),
  /** Milliseconds of the last test; 0 when it failed. */
  response_time: z.int(),
});
export type ChannelKey = z.infer<typeof channelKey>;

const ids = z.array(rowId).check(z.minLength(1), z.maxLength(mostKeysOfChannel));

export const channelKeyApi = {
  list: {
    method: 'GET',
    path: '/api/channel/:id/keys',
    access: 'admin',
    params: idParams,
    reply: z.array(channelKey),
  },
  add: {
    method: 'POST',
    path: '/api/channel/:id/keys',
    access: 'admin',
    params: idParams,
    body: z.object({
      keys: z.string().check(z.trim(), z.minLength(1), z.maxLength(200_000)),
      /** The keys that are not among these are removed. */
      replace: z._default(z.boolean(), false),
    }),
    reply: z.object({
      added: z.int(),
      /** Lines with a key that the channel had, or that stood in another line. */
      duplicates: z.int(),
      removed: z.int(),
    }),
  },
  update: {
    method: 'PUT',
    path: '/api/channel/:id/keys',
    access: 'admin',
    params: idParams,
    body: z.object({
      ids,
      status: z.optional(z.literal([channelStatus.enabled, channelStatus.disabled])),
      weight: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
    }),
    reply: z.int(),
  },
  remove: {
    method: 'POST',
    path: '/api/channel/:id/keys/remove',
    access: 'admin',
    params: idParams,
    body: z.object({ ids }),
    reply: z.int(),
  },
  test: {
    method: 'POST',
    path: '/api/channel/:id/keys/test',
    access: 'admin',
    params: idParams,
    body: z.object({ key: rowId, model: z._default(z.string().check(z.trim(), z.maxLength(300)), '') }),
    reply: z.object({
      model: z.string(),
      /** Milliseconds until the answer, or until the failure. */
      ms: z.int(),
      /** Empty when it answered. */
      reason: toldReason,
      message: z.string(),
      /** Status of the upstream; 0 when it did not answer. */
      status: z.int(),
      /** What became of the key. */
      became: z.enum(['', 'enabled', 'disabled']),
    }),
  },
} as const satisfies EndpointTable;
export type KeyTest = z.infer<(typeof channelKeyApi)['test']['reply']>;
