import type {
  Affinity,
  LimitCountScope,
  LimitMeasure,
  LogReason,
  PriceCurrency,
  PricePart,
  PriceSource,
  PriceUnitName,
  RoutingStrategy,
} from '@headgate/contract';
import type { Generated } from 'kysely';

export interface RoutingTables {
  routing_rules: RoutingRuleTable;
  model_aliases: ModelAliasTable;
}

interface RoutingRuleTable {
  id: Generated<number>;
  /** Empty: all groups. */
  group: string;
  /** Model name or pattern; empty: all models. */
  model: string;
  strategy: RoutingStrategy;
  affinity: Affinity;
  fits_window: number;
  hedge_ms: number;
  /** Comma-separated. */
  fallbacks: string;
  /** Empty: none. */
  split_model: Generated<string>;
  split_tag: Generated<string>;
  split_percent: Generated<number>;
  split_own_price: Generated<number>;
  /** Empty: the requested model, any channel. */
  mirror_model: Generated<string>;
  mirror_channel: Generated<string>;
  mirror_percent: Generated<number>;
  created_time: number;
}

interface ModelAliasTable {
  id: Generated<number>;
  pattern: string;
  model: string;
  created_time: number;
}

/** Limit rules. 0 and the empty string match anything. */
export interface LimitRuleTable {
  id: Generated<number>;
  token_id: number;
  user_id: number;
  group: string;
  model: string;
  channel_id: number;
  measure: LimitMeasure;
  amount: number;
  counts_per: LimitCountScope;
  /** Condition on a tag of the request. */
  tag: Generated<string>;
  note: string;
  enabled: number;
  created_time: number;
}

/** Usage of a daily limit when it was last saved. */
export interface LimitUseTable {
  key: string;
  /** JSON: amounts by age, in sixtieths of the window. */
  told: string;
  saved_time: number;
}

/** One of the keys of a channel with several keys. */
export interface ChannelKeyTable {
  id: Generated<number>;
  channel_id: number;
  key_sealed: string;
  /** Identifies the key; unique within the channel. */
  key_fingerprint: string;
  weight: number;
  cost_percent: Generated<number>;
  /** Same values as `channels.status`. */
  status: number;
  status_reason: Generated<string>;
  created_time: number;
  used_time: Generated<number>;
  request_count: Generated<number>;
  failure_count: Generated<number>;
  failure_time: Generated<number>;
  failure_reason: Generated<LogReason | ''>;
  failure_message: Generated<string>;
  failure_status: Generated<number>;
  test_time: Generated<number>;
  response_time: Generated<number>;
}

/** Circuit breaker of a model on a channel; an empty model means the whole channel. */
export interface ChannelBreakerTable {
  id: Generated<number>;
  channel_id: number;
  model: string;
  reason: LogReason | '';
  message: string;
  status: number;
  since: number;
  next_probe: number;
  /** Seconds between tests. */
  pause: number;
  probes: Generated<number>;
  /** 0: the breaker is open. */
  ended_time: Generated<number>;
  /** 1: the channel was disabled automatically, and the row only schedules its tests. */
  is_disabled: Generated<number>;
}

/** One component of the stored price of a model. */
export interface PriceTable {
  id: Generated<number>;
  /** Model name, or `name(type)` for one channel type. */
  model: string;
  part: PricePart;
  unit: PriceUnitName;
  /** Decimal number, as entered. */
  amount: string;
  currency: PriceCurrency;
  source: PriceSource;
  updated_time: number;
  /** Username. */
  updated_by: string;
}

/** Change of one price component. A null amount means that there was no price before or after. */
export interface PriceChangeTable {
  id: Generated<number>;
  model: string;
  part: PricePart;
  unit: PriceUnitName;
  old_amount: string | null;
  old_currency: PriceCurrency | null;
  amount: string | null;
  currency: PriceCurrency | null;
  source: PriceSource;
  changed_time: number;
  /** Username. */
  changed_by: string;
}
