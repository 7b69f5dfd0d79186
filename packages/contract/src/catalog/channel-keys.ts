import * as z from 'zod/mini';
import { logReasonOrOther } from '../records/log.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, rowId } from '../wire/list.ts';
import { channelStatus } from './channel.ts';

/** Maximum number of keys of one channel. */
export const maxKeysPerChannel = 500;

export const maxKeyWeight = 1000;

/** Maximum cost of a key, as a percentage of the channel's cost. */
export const maxCostPercent = 100_000;

/** A provider key of a channel. The key itself is never returned, only its last characters. */
export const channelKey = z.object({
  /** 0: the only key of the channel, without a separate state. */
  id: z.int(),
  /** Last characters of the key; empty if it is too short to show any. */
  hint: z.string(),
  /** Share of the requests relative to the other keys. */
  weight: z.int(),
  /** Key cost as a percentage of the channel's cost, for example the group ratio of a key from another gateway. */
  cost_percent: z._default(z.int(), 100),
  /** Same values as the status of a channel. */
  status: z.int(),
  /** Empty if unknown. */
  status_reason: z.string(),
  /** Remaining cooldown on this node in seconds; 0: not cooling down. */
  cooldown_seconds: z.int(),
  created_time: z.int(),
  /** 0: never used. */
  used_time: z.int(),
  request_count: z.int(),
  /** Requests that failed because of the key. */
  failure_count: z.int(),
  /** The last failed request or test; time 0: none. */
  failure_time: z.int(),
  failure_reason: logReasonOrOther,
  failure_message: z.string(),
  /** HTTP status of the upstream; 0: no response. */
  failure_status: z.int(),
  /** 0: never tested. */
  test_time: z.int(),
  /** Duration of the last test in milliseconds; 0: it failed. */
  response_time: z.int(),
});
export type ChannelKey = z.infer<typeof channelKey>;

const ids = z.array(rowId).check(z.minLength(1), z.maxLength(maxKeysPerChannel));

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
      /** Removes keys that are not listed. */
      replace: z._default(z.boolean(), false),
    }),
    reply: z.object({
      added: z.int(),
      /** Number of keys that the channel already had or that were entered twice. */
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
      weight: z.optional(z.int().check(z.minimum(1), z.maximum(maxKeyWeight))),
      cost_percent: z.optional(z.int().check(z.minimum(1), z.maximum(maxCostPercent))),
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
      /** Milliseconds until the response or the failure. */
      ms: z.int(),
      /** Empty: the test succeeded. */
      reason: logReasonOrOther,
      message: z.string(),
      /** HTTP status of the upstream; 0: no response. */
      status: z.int(),
      /** Status change made by the test; empty: none. */
      became: z.enum(['', 'enabled', 'disabled']),
    }),
  },
} as const satisfies EndpointTable;
export type KeyTestResult = z.infer<(typeof channelKeyApi)['test']['reply']>;
