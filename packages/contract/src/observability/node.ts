import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';

/** A process that serves this gateway. Several may share one PostgreSQL. */
export const gatewayNode = z.object({
  name: z.string(),
  version: z.string(),
  started_time: z.int(),
  /** Whether it is the one that answers this call. */
  is_this: z.boolean(),
  /** Seconds since it last said that it is alive. */
  seen_seconds: z.int(),
  /** It has not been heard of for longer than it ever is silent. */
  is_silent: z.boolean(),
  /** Requests of clients under way. */
  running: z.int(),
  /** Milliseconds that the oldest charge has waited to be stored; 0 when all are. */
  lag_ms: z.int(),
  /** Of how many users and tokens it has leased quota; 0 where one process has all of it. */
  leases: z.int(),
  /** When it last failed to confirm a change in time, unless it has caught up since; 0: it has. */
  unconfirmed_time: z.int(),
  /** What its environment says, which only a restart changes; nothing secret is among it. */
  settings: z.record(z.string(), z.string()),
});
export type GatewayNode = z.infer<typeof gatewayNode>;

export const nodeApi = {
  list: {
    method: 'GET',
    path: '/api/node/',
    access: 'admin',
    reply: z.array(gatewayNode),
  },
} as const satisfies EndpointTable;
