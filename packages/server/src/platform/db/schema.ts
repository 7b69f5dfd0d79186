import type { KeyStrategy, LogEndCause, LogReason } from '@headgate/contract';
import type { Generated } from 'kysely';
import type { AlertTables } from './alert-schema.ts';
import type { BudgetChangeTable, BudgetPeriodTable, BudgetTable } from './budget-schema.ts';
import type { ChannelKeyTable } from './channel-key-schema.ts';
import type { ChannelPauseTable } from './channel-pause-schema.ts';
import type { ChargeGroupTable, ChargeJournalTable, SetAsideChargeTable } from './charge-schema.ts';
import type { BodyKeepingTable, KeptBodyTable } from './kept-body-schema.ts';
import type { LimitRuleTable, LimitUseTable } from './limit-rule-schema.ts';
import type { ManagedThingTable } from './managed-schema.ts';
import type { LimitCountTable, NodeTable } from './node-schema.ts';
import type { PriceChangeTable, PriceTable } from './price-schema.ts';
import type { RoutingTables } from './routing-schema.ts';
import type { SignInTables } from './sign-in-schema.ts';
import type { StoredResponseItemTable, StoredResponseTable } from './stored-response-schema.ts';
import type { TokenTable } from './token-schema.ts';
import type { BalanceChangeTable } from './total-schema.ts';
import type { LatencyHourTable, UsageTables } from './usage-schema.ts';

/** Columns carry the wire's names, so that a row is an entity without a mapping in between. Switches are 0 or 1. */
export interface Schema extends AlertTables, RoutingTables, SignInTables, UsageTables {
  users: UserTable;
  sessions: SessionTable;
  options: OptionTable;
  tokens: TokenTable;
  redemptions: RedemptionTable;
  channels: ChannelTable;
  channel_keys: ChannelKeyTable;
  channel_pauses: ChannelPauseTable;
  abilities: AbilityTable;
  logs: LogTable;
  model_latencies: ModelLatencyTable;
  meta: OptionTable;
  leases: LeaseTable;
  budgets: BudgetTable;
  budget_periods: BudgetPeriodTable;
  /** On PostgreSQL alone. */
  charge_groups: ChargeGroupTable;
  balance_changes: BalanceChangeTable;
  budget_changes: BudgetChangeTable;
  /** On SQLite alone. */
  charge_journal: ChargeJournalTable;
  /** Comes from a journal; on PostgreSQL with data that were SQLite's. */
  set_aside_charges: SetAsideChargeTable;
  known_identities: KnownIdentityTable;
  kept_responses: KeptResponseTable;
  kept_items: KeptItemTable;
  body_keepings: BodyKeepingTable;
  kept_bodies: KeptBodyTable;
  stored_responses: StoredResponseTable;
  stored_response_items: StoredResponseItemTable;
  bulk_runs: BulkRunTable;
  user_views: UserViewTable;
  prices: PriceTable;
  price_changes: PriceChangeTable;
  limit_rules: LimitRuleTable;
  limit_uses: LimitUseTable;
  imported_rows: ImportedRowTable;
  managed_things: ManagedThingTable;
  /** On PostgreSQL alone. */
  nodes: NodeTable;
  /** On PostgreSQL alone. */
  limit_counts: LimitCountTable;
}

/** A row of ours that came from another gateway. */
interface ImportedRowTable {
  /** What that gateway is called. */
  source: string;
  kind: 'user' | 'token' | 'channel' | 'redemption' | 'option';
  /** What it was there: an id, or the name of an option. */
  source_id: string;
  /** What it is here; 0 where it has no number. */
  id: number;
}

/** What a list shows, kept by somebody under a name. */
interface UserViewTable {
  user_id: number;
  list: string;
  name: string;
  /** What stands behind the question mark of its address. */
  query: string;
  created_time: number;
}

/** What a change of many rows was before, so that it can be taken back for a while. */
interface BulkRunTable {
  id: string;
  /** The kind of rows. */
  subject: string;
  created_time: number;
  /** JSON: per row its id and the changed columns before and after. */
  rows: string;
}

interface UserTable {
  id: Generated<number>;
  username: string;
  display_name: string;
  /** Argon2id in PHC notation, or bcrypt until the first sign-in after an import; null: no password login. */
  password_hash: string | null;
  role: number;
  status: number;
  /** Absent identities are null, never empty: unique indexes then ignore them. */
  email: string | null;
  github_id: string | null;
  wechat_id: string | null;
  lark_id: string | null;
  oidc_id: string | null;
  /** Whose word the two identities are whose provider admins choose: at another address they are somebody else's. */
  wechat_issuer: Generated<string>;
  oidc_issuer: Generated<string>;
  quota: number;
  used_quota: number;
  request_count: number;
  group: string;
  aff_code: string | null;
  inviter_id: number;
  created_time: number;
  access_token_hash: string | null;
  /** All quota ever given: what remains and what was used add up to it. */
  credited: number;
  /** What of the used quota no log tells: its row was cleaned, or never written. */
  unlogged_quota: Generated<number>;
  /** What requests of this user were charged to budgets, to each in full. */
  budgeted_quota: Generated<number>;
  /** 1 when logins ask for a code of an authenticator app. */
  second_factor: Generated<number>;
  /** 1 when mail and other providers may open the account of this super admin. Says nothing of anybody else. */
  sign_in_elsewhere: Generated<number>;
  /** The username without its case, unique; null where an older account had the same when such keys began. */
  name_key: string | null;
}

/** Fingerprints of every address and identity that ever had an account here, deleted ones included. Never shrinks. */
interface KnownIdentityTable {
  fingerprint: string;
}

interface SessionTable {
  /** SHA-256 of the id in the cookie: a copy of the table opens no session. */
  id_hash: string;
  user_id: number;
  created_time: number;
  seen_time: number;
  address: string;
  user_agent: string;
  /** When its owner last proved to be who uses it. */
  proved_time: Generated<number>;
}

interface OptionTable {
  key: string;
  value: string;
}

/**
 * What a node may spend of a user's quota or a token's limit without asking the others. Only PostgreSQL has several.
 */
interface LeaseTable {
  kind: 'user' | 'token' | 'budget';
  owner_id: number;
  node: number;
  points: number;
}

/** Which channel's upstream keeps which response, and for whom. */
interface KeptResponseTable {
  user_id: number;
  /** As the upstream calls it. */
  response_id: string;
  channel_id: number;
  /** Which of several keys of the channel it was made with; 0: it had one. */
  key_id: Generated<number>;
  tokens: number;
  attached_tokens: number;
  /** What all of its items together may count. */
  item_tokens: number;
  expires_time: number;
}

/** Which items a response has that is kept. */
interface KeptItemTable {
  user_id: number;
  /** As the upstream calls it. */
  item_id: string;
  response_id: string;
  expires_time: number;
}

interface RedemptionTable {
  id: Generated<number>;
  user_id: number;
  key_hash: string;
  key_sealed: string;
  status: number;
  name: string;
  quota: number;
  created_time: number;
  redeemed_time: number;
  redeemed_user_id: number;
}

interface ChannelTable {
  id: Generated<number>;
  type: number;
  key_sealed: string;
  /** Finds a channel by its exact key. */
  key_fingerprint: string;
  status: number;
  status_reason: string;
  name: string;
  weight: number;
  priority: number;
  created_time: number;
  test_time: number;
  response_time: number;
  base_url: string;
  other: string;
  balance: number;
  balance_updated_time: number;
  models: string;
  group: string;
  used_quota: number;
  model_mapping: string;
  /** The config JSON, sealed because parts of it are secret; empty when there is none. */
  config_sealed: string;
  system_prompt: string;
  /** JSON; empty when there is none. */
  purchase: Generated<string>;
  is_failing: Generated<number>;
  test_reason: Generated<LogReason | ''>;
  test_message: Generated<string>;
  test_status: Generated<number>;
  tested_model: Generated<string>;
  failure_time: Generated<number>;
  failure_reason: Generated<LogReason | ''>;
  failure_message: Generated<string>;
  failure_status: Generated<number>;
  failure_model: Generated<string>;
  failure_count: Generated<number>;
  /** A label by which channels are found and changed together; empty: none. */
  tag: Generated<string>;
  key_strategy: Generated<KeyStrategy>;
  /** 0: one key, which has no row of its own. Else `key_sealed` is the first of these that is enabled. */
  key_count: Generated<number>;
  enabled_key_count: Generated<number>;
}

/** One row per group and model of a channel. */
interface AbilityTable {
  group: string;
  model: string;
  channel_id: number;
  enabled: number;
  priority: number;
  weight: number;
}

interface LogTable {
  id: Generated<number>;
  user_id: number;
  created_at: number;
  type: number;
  content: string;
  username: string;
  token_name: string;
  model_name: string;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  channel: number;
  request_id: string;
  elapsed_time: number;
  is_stream: number;
  system_prompt_reset: number;
  detail: string;
  /** Who ended a request before its end; empty when it came to it, or when the row is about no request. */
  ended_by: LogEndCause | '';
  /** The group by which it was charged. */
  group: string;
  /** Milliseconds until a streamed answer began. */
  first_byte_time: number;
  /** HTTP status of a failure. */
  status: number;
  reason: LogReason | '';
  cached_tokens: number;
  cache_write_tokens: number;
  reasoning_tokens: number;
  /** What it cost the operator, in points. */
  cost: number;
  /** The node that served it; empty where there is only one. */
  node: string;
}

/** How many requests of a model took how long in an hour or a day, while the status page is on. */
interface ModelLatencyTable extends Omit<LatencyHourTable, 'hour'> {
  kind: 'hour' | 'day';
  /** The first second. */
  start: number;
  model_name: string;
}
