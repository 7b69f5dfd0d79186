import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';

/** A process of this gateway. Several can share one PostgreSQL database. */
export const gatewayNode = z.object({
  name: z.string(),
  version: z.string(),
  started_time: z.int(),
  /** True for the node that serves this call. */
  is_this: z.boolean(),
  /** Seconds since the last heartbeat. */
  seen_seconds: z.int(),
  /** True if the heartbeat is overdue. */
  is_silent: z.boolean(),
  /** Relay requests in flight. */
  running: z.int(),
  /** Age of the oldest charge that is not stored yet, in milliseconds; 0 if all are stored. */
  lag_ms: z.int(),
  /** Number of users and tokens with leased quota; 0 with a single node. */
  leases: z.int(),
  /** Time at which the node last failed to confirm a change in time; 0 if it has caught up. */
  unconfirmed_time: z.int(),
  /** Settings from the environment, without secrets. They change only on restart. */
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
