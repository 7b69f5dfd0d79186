import type { Generated } from 'kysely';

/** The requests of a closed hour by user; made from `usage_hours` when the hour is packed, and good only while it is. */
export interface UserHourTable {
  hour: number;
  type: number;
  rows: number;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  cost: number;
  user_id: number;
  username: string;
  model_name: string;
  group: string;
}

type Packed = Uint8Array | null;

/**
 * The requests of an hour or a day, a column of the sums in one value: see usage/packed-column.ts. Columns that a kind does
 * not have are null.
 */
export interface UsagePackTable {
  kind: 'site' | 'site_day' | 'users' | 'users_day';
  /** The first second. */
  start: number;
  /** How many logs were added up: the sums hold as long as there are as many. Below zero while they are being made. */
  rows: number;
  /** Another one each time the pack is made. */
  version: Generated<number>;
  /** JSON: by column the values that stand behind its numbers. */
  names: string;
  user_id: Packed;
  channel: Packed;
  model_name: Packed;
  group: Packed;
  requests: Packed;
  failures: Packed;
  quota: Packed;
  prompt_tokens: Packed;
  completion_tokens: Packed;
  cached_tokens: Packed;
  cost: Packed;
}

/**
 * Whose the logs under these names are, or were: one index by user then serves questions by any name, where an index by
 * each name would cost every write some pages more. Never shrinks.
 */
export interface LogOwnerTable {
  username: string;
  token_name: string;
  user_id: number;
}
