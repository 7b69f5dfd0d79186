import type { Generated } from 'kysely';

/** The requests of a closed hour by user; made from `usage_hours` when the hour is packed, and good only while it is. */
interface UserHourTable {
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

/** Token names that so many users have that nothing narrows their logs down. Never shrinks. */
interface SharedTokenNameTable {
  /** From 1 on without a gap: whoever knows a number knows all names before it. */
  id: number;
  name: string;
}

/** All logs of a closed hour by token name, of shared names alone; good only while the pack of that hour says so. */
interface TokenHourTable {
  token_name: string;
  hour: number;
  type: number;
  rows: number;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  cost: number;
}

/** Which hours `token_hours` adds up, and as they were when. */
interface TokenPackTable {
  hour: number;
  /** How many logs the hour had: its sums hold as long as there are as many. Below zero while they are being made. */
  rows: number;
  /** Of the pack of the site at that time; 0 when the hour had no requests. */
  version: number;
  /** The last of the shared names that were known. */
  names: number;
  /** Another one each time: the version of the pack of these names. */
  made: number;
}

type Packed = Uint8Array | null;

/**
 * The requests of an hour or a day, a column of the sums in one value: see usage/packed-column.ts. Columns that a kind does
 * not have are null.
 */
interface UsagePackTable {
  kind: 'site' | 'site_day' | 'users' | 'users_day' | 'tokens';
  /** The first second. */
  start: number;
  /** How many logs were added up: the sums hold as long as there are as many. Below zero while they are being made. */
  rows: number;
  /** Another one each time the pack is made. */
  version: Generated<number>;
  /** JSON: by column the values that stand behind its numbers. */
  names: string;
  user_id: Packed;
  token_name: Packed;
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
interface LogOwnerTable {
  username: string;
  token_name: string;
  user_id: number;
}

/** Sums that are made from others, and what leads to logs. */
export interface UsageTables {
  user_hours: UserHourTable;
  usage_packs: UsagePackTable;
  shared_token_names: SharedTokenNameTable;
  token_hours: TokenHourTable;
  token_packs: TokenPackTable;
  log_owners: LogOwnerTable;
}
