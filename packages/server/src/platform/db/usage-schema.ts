import type { LogReason } from '@headgate/contract';

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

/** The same per day (UTC). `day` is the first second. */
interface UsageDayTable extends UsageCounts {
  day: number;
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

/** Users with logs under a username and token name. Never shrinks. */
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
