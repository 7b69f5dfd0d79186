import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { queryInteger } from '../wire/list.ts';

/** Metrics of a period. Latencies are in milliseconds; 0: no data. */
const figures = z.object({
  requests: z.int(),
  failures: z.int(),
  quota: z.int(),
  cost: z.int(),
  elapsed_p50: z.int(),
  elapsed_p95: z.int(),
  first_byte_p50: z.int(),
});
export type DashboardStats = z.infer<typeof figures>;

/** A failing channel with its last failure. */
const failingChannel = z.object({
  id: z.int(),
  name: z.string(),
  reason: z.string(),
  message: z.string(),
  status: z.int(),
  time: z.int(),
  cooldown_seconds: z.int(),
});

/** Setup steps of a new user; true: done. */
const steps = z.object({
  /** True when the default password was changed. */
  password: z.boolean(),
  channel: z.boolean(),
  tested: z.boolean(),
  token: z.boolean(),
  request: z.boolean(),
});
export type SetupSteps = z.infer<typeof steps>;

const home = z.object({
  /** Previous period in `before`, of equal length. Whole hours. */
  from: z.int(),
  to: z.int(),
  now: figures,
  /** Null if the logs do not go back far enough. */
  before: z.nullable(figures),
  channels: z.object({
    total: z.int(),
    failing: z.int(),
    cooling_down: z.int(),
    disabled_by_monitor: z.int(),
    troubled: z.array(failingChannel),
  }),
  /** Points missing from the ledger, and unreadable journal entries. */
  ledger: z.object({ drift: z.int(), set_aside: z.int() }),
  steps,
});
export type AdminDashboard = z.infer<typeof home>;

/** An enabled token that expires soon or runs low. */
const expiringToken = z.object({
  id: z.int(),
  name: z.string(),
  remain_quota: z.int(),
  unlimited_quota: z.boolean(),
  expired_time: z.int(),
});

const ownHome = z.object({ tokens: z.array(expiringToken), steps });
export type UserDashboard = z.infer<typeof ownHome>;

export const dashboardApi = {
  read: {
    method: 'GET',
    path: '/api/home',
    access: 'admin',
    /** 0: the longest period that the dashboard shows. */
    query: z.object({ start_timestamp: z._default(queryInteger(0, Number.MAX_SAFE_INTEGER), 0) }),
    reply: home,
  },
  readOwn: {
    method: 'GET',
    path: '/api/home/self',
    access: 'user',
    reply: ownHome,
  },
} as const satisfies EndpointTable;
