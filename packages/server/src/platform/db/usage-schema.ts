import type { LogReason } from '@headgate/contract';

/** What rollups of logs add up. */
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

/** Logs of an hour by everything that usage is told apart by. `hour` is its first second. */
interface UsageHourTable extends UsageCounts {
  hour: number;
}

/** The same for a day of UTC. `day` is its first second. */
interface UsageDayTable extends UsageCounts {
  day: number;
}

/** Logs of an hour without their users. */
interface SiteHourTable extends Counters {
  hour: number;
  /** 0: none was tried. */
  channel: number;
  model_name: string;
  group: string;
  type: number;
  reason: LogReason | '';
  status: number;
}

/** Durations of charged requests. A bucket is a range of milliseconds: see records/logs/latency-buckets.ts. */
export interface LatencyHourTable {
  hour: number;
  bucket: number;
  /** Requests that took so long. */
  elapsed: number;
  /** Streams whose first byte took so long. */
  first_byte: number;
}

/** Users who have logs under a username and a token name. Never shrinks. */
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
  log_names: LogNameTable;
}
