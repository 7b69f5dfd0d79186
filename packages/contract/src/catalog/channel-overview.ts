import * as z from 'zod/mini';
import { logReasonOrOther } from '../records/log.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams } from '../wire/list.ts';
import { dollars, priceUnit } from './price.ts';

/** Traffic and money of a period. */
const traffic = z.object({
  requests: z.int(),
  failures: z.int(),
  quota: z.int(),
  /** Operator's purchase cost. */
  cost: z.int(),
  /** Part of `quota` with unknown cost, excluded from margins. */
  uncosted_quota: z.int(),
});

/** Latencies in milliseconds; 0: no data. */
const latencies = {
  elapsed_p50: z.int(),
  elapsed_p95: z.int(),
  first_byte_p50: z.int(),
} as const;

const trafficHour = z.extend(traffic, { hour: z.int(), ...latencies });
export type ChannelTrafficHour = z.infer<typeof trafficHour>;

const trafficModel = z.extend(traffic, {
  model: z.string(),
  unit: priceUnit,
  /** Price for users in the default group; null: no price. */
  price: z.nullable(dollars),
  is_paused: z.boolean(),
});

const failedRequest = z.object({
  id: z.int(),
  created_at: z.int(),
  request_id: z.string(),
  model_name: z.string(),
  reason: logReasonOrOther,
  /** HTTP status; 0: no response. */
  status: z.int(),
  message: z.string(),
});

/** The last 24 hours of one channel. */
export const channelOverview = z.object({
  /** First second of the first hour, and last second of the current hour. */
  from: z.int(),
  to: z.int(),
  total: z.extend(traffic, latencies),
  /** Every hour, oldest first. */
  hours: z.array(trafficHour),
  /** Models of the channel and of its traffic, most requests first. */
  models: z.array(trafficModel),
  /** Newest first. */
  failures: z.array(failedRequest),
});
export type ChannelOverview = z.infer<typeof channelOverview>;

const listedTraffic = z.object({
  id: z.int(),
  requests: z.int(),
  failures: z.int(),
  /** Requests per hour, oldest first. */
  hours: z.array(z.int()),
});
export type ListedTraffic = z.infer<typeof listedTraffic>;

/** Period of channel traffic, in hours. */
export const channelTrafficHours = 24;

export const channelOverviewApi = {
  overview: {
    method: 'GET',
    path: '/api/channel/:id/overview',
    access: 'admin',
    params: idParams,
    reply: channelOverview,
  },
  traffic: {
    method: 'GET',
    path: '/api/channel/traffic',
    access: 'admin',
    query: z.object({
      /** Up to 100 ids, separated by commas. */
      ids: z.pipe(
        z.string().check(z.regex(/^\d{1,15}(,\d{1,15}){0,99}$/)),
        z.transform((text) => text.split(',').map(Number)),
      ),
    }),
    reply: z.array(listedTraffic),
  },
} as const satisfies EndpointTable;
