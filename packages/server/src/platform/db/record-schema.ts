import type { LogReason, PayloadRuleKind } from '@headgate/contract';
import type { Generated } from 'kysely';

/** PostgreSQL only: changes of totals that are not in their tables yet; see decision 49. */

export interface BalanceChangeTable {
  kind: 'user' | 'token' | 'channel';
  owner_id: number;
  quota: number;
  /** The part that counts against the token's limit. */
  limited: number;
  /** The part that plans pay instead of the balance. */
  planned: Generated<number>;
  /** The part that is not in any log. */
  unlogged: number;
  /** Amount charged to budgets. A request counts once for each of its budgets. */
  budgeted: Generated<number>;
  requests: number;
  used_time: number;
}

/** Charge batches that have been stored. Each row is written by the transaction that stores its batch. */
export interface ChargeGroupTable {
  /** Id of the process that stored the batch. */
  writer: number;
  number: number;
  stored_time: Generated<number>;
}

export interface ChargeJournalTable {
  id: number;
  /** Format version of the charges. */
  version: number;
  /** JSON array of charges. */
  charges: string;
}

/** Journal entries that could not be read. They are kept for manual inspection and not charged. */
export interface SetAsideChargeTable {
  id: Generated<number>;
  entry: number;
  version: number;
  charges: string;
  reason: string;
  created_time: number;
}

/** Payload logging rule of a user or a token. */
export interface PayloadRuleTable {
  kind: PayloadRuleKind;
  /** Id of the user or token. */
  owner_id: number;
  /** Id of the user whose requests are stored. */
  user_id: number;
  hours: number;
  kilobytes: number;
  /** 1: set by the user; 0: set by an admin. */
  is_own: number;
  created_time: number;
}

/** Payloads of one request and its response, encrypted together with the values of the other columns. */
export interface StoredPayloadTable {
  request_id: string;
  user_id: number;
  token_id: number;
  created_time: number;
  expires_time: number;
  status: number;
  /** Original sizes in bytes. */
  request_bytes: number;
  answer_bytes: number;
  /** Total size of the encrypted columns. */
  stored_bytes: number;
  request_sealed: Uint8Array;
  answer_sealed: Uint8Array;
  /** Request headers without credentials; null for payloads of older versions. */
  headers_sealed: Uint8Array | null;
}

/** A response that the gateway stores itself, encrypted together with the other columns. */
export interface StoredResponseTable {
  user_id: number;
  response_id: string;
  created_time: number;
  /** Last use, at most an hour late. */
  used_time: number;
  /** Size of the JSON before compression. */
  input_bytes: number;
  answer_bytes: number;
  /** Total size of both encrypted columns. */
  stored_bytes: number;
  input_sealed: Uint8Array;
  answer_sealed: Uint8Array;
}

/** Maps an output item to its response. */
export interface StoredResponseItemTable {
  user_id: number;
  item_id: string;
  response_id: string;
  created_time: number;
}

/** Counters of the rollups. */
interface Counters {
  rows: number;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  cost: number;
}

interface UsageCounts extends Counters {
  user_id: number;
  token_name: string;
  model_name: string;
  channel: number;
  group: string;
  type: number;
  username: string;
}

/** Hourly rollup with all dimensions of usage. `hour` is the first second. */
interface UsageHourTable extends UsageCounts {
  hour: number;
}

/** Same rollup per day (UTC). `day` is the first second. */
interface UsageDayTable extends UsageCounts {
  day: number;
}

/** Hourly rollup of requests with tags: one row for each tag. */
interface TagHourTable extends UsageHourTable {
  tag: string;
  tag_value: string;
}

/** Hourly rollup without users. */
interface SiteHourTable extends Counters {
  hour: number;
  /** 0: no channel was tried. */
  channel: number;
  model_name: string;
  group: string;
  type: number;
  reason: LogReason | '';
  status: number;
}

/** Durations of charged requests. A bucket is a range of milliseconds; see records/logs/latency-buckets.ts. */
export interface LatencyHourTable {
  hour: number;
  bucket: number;
  /** Requests with a total duration in this bucket. */
  elapsed: number;
  /** Streams with a time to first byte in this bucket. */
  first_byte: number;
}

/** Same durations by model and channel. */
interface ServedLatencyHourTable extends LatencyHourTable {
  model_name: string;
  channel: number;
}

/** Users with logs under a username and token name. Rows are never deleted. */
interface LogNameTable {
  username: string;
  token_name: string;
  user_id: number;
}

/** Rollups of logs. */
export interface UsageTables {
  usage_hours: UsageHourTable;
  usage_days: UsageDayTable;
  site_hours: SiteHourTable;
  latency_hours: LatencyHourTable;
  served_latency_hours: ServedLatencyHourTable;
  tag_hours: TagHourTable;
  log_names: LogNameTable;
}
