import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { queryInteger } from '../wire/list.ts';

/** What happened in a time. Milliseconds of latency are 0 where no time is known. */
const figures = z.object({
  requests: z.int(),
  failures: z.int(),
  quota: z.int(),
  cost: z.int(),
  elapsed_p50: z.int(),
  elapsed_p95: z.int(),
  first_byte_p50: z.int(),
});
export type HomeFigures = z.infer<typeof figures>;

/** A channel that does not answer as it should, with the last that was heard of it. */
const troubledChannel = z.object({
  id: z.int(),
  name: z.string(),
  reason: z.string(),
  message: z.string(),
  status: z.int(),
  time: z.int(),
  resting_seconds: z.int(),
});

/** How far somebody who begins has come. */
const steps = z.object({
  /** Not the one that everybody knows. */
  password: z.boolean(),
  channel: z.boolean(),
  tested: z.boolean(),
  token: z.boolean(),
  request: z.boolean(),
});
export type HomeSteps = z.infer<typeof steps>;

const home = z.object({
  /** The time that is added up, in whole hours, and as long a time before it. */
  from: z.int(),
  to: z.int(),
  now: figures,
  /** Null where the logs do not go back so far. */
  before: z.nullable(figures),
  channels: z.object({
    total: z.int(),
    failing: z.int(),
    resting: z.int(),
    disabled_by_monitor: z.int(),
    troubled: z.array(troubledChannel),
  }),
  /** Points that are missing in the books, and entries of the journal that could not be read. */
  ledger: z.object({ drift: z.int(), set_aside: z.int() }),
  steps,
});
export type Home = z.infer<typeof home>;

/** A token that works and soon will not. */
const endingToken = z.object({
  id: z.int(),
  name: z.string(),
  remain_quota: z.int(),
  unlimited_quota: z.boolean(),
  expired_time: z.int(),
});

const ownHome = z.object({ tokens: z.array(endingToken), steps });
export type OwnHome = z.infer<typeof ownHome>;

export const homeApi = {
  read: {
    method: 'GET',
    path: '/api/home',
    access: 'admin',
    /** Without a beginning: as far back as Home looks. */
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
