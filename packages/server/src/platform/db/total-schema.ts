import type { Generated } from 'kysely';

/** What was added to totals on PostgreSQL and is not in their tables yet; see decision 49. */

export interface BalanceChangeTable {
  kind: 'user' | 'token' | 'channel';
  owner_id: number;
  /** What was spent. */
  quota: number;
  /** What of it counts against the limit of a token. */
  limited: number;
  /** What of it no log tells. */
  unlogged: number;
  /** What of it was charged to budgets, to each in full. */
  budgeted: Generated<number>;
  requests: number;
  used_time: number;
}

export interface LatencyChangeTable {
  hour: number;
  bucket: number;
  elapsed: number;
  first_byte: number;
}

export interface FailureChangeTable {
  hour: number;
  channel: number;
  model_name: string;
  reason: string;
  status: number;
  rows: number;
}

export interface UsageChangeTable {
  hour: number;
  type: number;
  user_id: number;
  username: string;
  token_name: string;
  model_name: string;
  channel: number;
  group: string;
  rows: number;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  cost: number;
}
