import type { KeyStrategy, LogEndCause, LogReason } from '@headgate/contract';
import type { Generated } from 'kysely';
import type { BudgetChangeTable, BudgetPeriodTable, BudgetTable, SignInTables, TokenTable } from './account-schema.ts';
import type {
  ChannelBreakerTable,
  ChannelKeyTable,
  LimitRuleTable,
  LimitUseTable,
  PriceChangeTable,
  PriceTable,
  RoutingTables,
} from './catalog-schema.ts';
import type { AlertTables, LimitCountTable, ManagedObjectTable, NodeTable } from './observability-schema.ts';
import type { AccountKind, OrganizationObject, OrganizationTables } from './organization-schema.ts';
import type { PaymentTables } from './payment-schema.ts';
import type {
  BalanceChangeTable,
  ChargeGroupTable,
  ChargeJournalTable,
  LatencyHourTable,
  PayloadRuleTable,
  SetAsideChargeTable,
  StoredPayloadTable,
  StoredResponseItemTable,
  StoredResponseTable,
  UsageTables,
} from './record-schema.ts';

/** Columns are named like the API fields, so that rows need no mapping. Booleans are 0 or 1. */
export interface Schema
  extends AlertTables,
    OrganizationTables,
    PaymentTables,
    RoutingTables,
    SignInTables,
    UsageTables {
  users: UserTable;
  sessions: SessionTable;
  options: OptionTable;
  tokens: TokenTable;
  redemptions: RedemptionTable;
  redemption_uses: RedemptionUseTable;
  check_ins: CheckInTable;
  channels: ChannelTable;
  channel_keys: ChannelKeyTable;
  channel_pauses: ChannelBreakerTable;
  abilities: AbilityTable;
  logs: LogTable;
  model_latencies: ModelLatencyTable;
  meta: OptionTable;
  leases: LeaseTable;
  budgets: BudgetTable;
  budget_periods: BudgetPeriodTable;
  /** PostgreSQL only. */
  charge_groups: ChargeGroupTable;
  balance_changes: BalanceChangeTable;
  budget_changes: BudgetChangeTable;
  /** SQLite only. */
  charge_journal: ChargeJournalTable;
  /** Filled from the SQLite journal; on PostgreSQL it has rows only if the data was moved from SQLite. */
  set_aside_charges: SetAsideChargeTable;
  known_identities: KnownIdentityTable;
  kept_responses: KeptResponseTable;
  kept_items: KeptItemTable;
  body_keepings: PayloadRuleTable;
  kept_bodies: StoredPayloadTable;
  stored_responses: StoredResponseTable;
  stored_response_items: StoredResponseItemTable;
  bulk_runs: BulkRunTable;
  user_views: UserViewTable;
  prices: PriceTable;
  price_changes: PriceChangeTable;
  limit_rules: LimitRuleTable;
  limit_uses: LimitUseTable;
  imported_rows: ImportedRowTable;
  managed_things: ManagedObjectTable;
  /** PostgreSQL only. */
  nodes: NodeTable;
  /** PostgreSQL only. */
  limit_counts: LimitCountTable;
}

type PaymentObject = 'plan' | 'user_plan' | 'order';

/** Row imported from another gateway. */
interface ImportedRowTable {
  /** Name of the other gateway. */
  source: string;
  kind:
    | 'user'
    | 'token'
    | 'channel'
    | 'redemption'
    | 'option'
    | 'budget'
    | 'limit'
    | PaymentObject
    | OrganizationObject;
  /** Id in the other gateway, or the name of an option. */
  source_id: string;
  /** Id of the imported row; 0 if it has none. */
  id: number;
}

/** Saved view of a list. */
interface UserViewTable {
  user_id: number;
  list: string;
  name: string;
  /** Query string of the list's URL. */
  query: string;
  created_time: number;
}

/** Previous values of a bulk change, kept for a while so that it can be undone. */
interface BulkRunTable {
  id: string;
  /** Kind of the rows. */
  subject: string;
  created_time: number;
  /** JSON: for each row, its id and the changed columns before and after. */
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
  /**
   * Issuers of the WeChat and OIDC identities, whose provider is configurable: the same id at another issuer is a
   * different user.
   */
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
  /** All quota ever credited; equals the remaining plus the used quota. */
  credited: number;
  /** Used quota that is not in any log, because the log was deleted or never written. */
  unlogged_quota: Generated<number>;
  /** Quota charged to budgets by requests of this user. A request counts once for each of its budgets. */
  budgeted_quota: Generated<number>;
  /** Used quota charged to plans instead of the balance. */
  plan_quota: Generated<number>;
  /** 1 if sign-in requires a code from an authenticator app. */
  second_factor: Generated<number>;
  /** 1 if this super admin can sign in by email or with other providers. Not used for other roles. */
  sign_in_elsewhere: Generated<number>;
  /** 1 if only an admin can create or enable tokens of this user. */
  tokens_locked: Generated<number>;
  /** Case-folded username, unique; null if an older account already had the same key when this column was added. */
  name_key: string | null;
  kind: Generated<AccountKind>;
}

/**
 * Fingerprints of all email addresses and identities that ever had an account, including deleted accounts. Rows are
 * never deleted.
 */
interface KnownIdentityTable {
  fingerprint: string;
}

interface SessionTable {
  /** SHA-256 of the id in the cookie, so that a copy of the table cannot be used to sign in. */
  id_hash: string;
  user_id: number;
  created_time: number;
  seen_time: number;
  address: string;
  user_agent: string;
  /** When the user last confirmed their identity in this session. */
  proved_time: Generated<number>;
}

interface OptionTable {
  key: string;
  value: string;
}

/**
 * Part of a user's quota, a token's limit or a budget that a node can spend without coordination. There are several
 * nodes only on PostgreSQL.
 */
interface LeaseTable {
  kind: 'user' | 'token' | 'budget';
  owner_id: number;
  node: number;
  points: number;
}

/** Responses stored by upstreams, with their channel and user. */
interface KeptResponseTable {
  user_id: number;
  /** Id assigned by the upstream. */
  response_id: string;
  channel_id: number;
  /** Key of the channel that created the response; 0 if the channel had a single key. */
  key_id: Generated<number>;
  tokens: number;
  attached_tokens: number;
  /** Upper bound of the tokens of all items. */
  item_tokens: number;
  expires_time: number;
}

/** Items of these responses. */
interface KeptItemTable {
  user_id: number;
  /** Id assigned by the upstream. */
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
  /** Unix seconds; 0: never. */
  expired_time: Generated<number>;
  max_uses: Generated<number>;
  use_count: Generated<number>;
  /** 0: the code adds quota. */
  plan_id: Generated<number>;
}

/** Last check-in of a user. */
interface CheckInTable {
  user_id: number;
  /** Days since 1970 (UTC). */
  day: number;
}

/** A user's redemption of a code. */
interface RedemptionUseTable {
  id: Generated<number>;
  redemption_id: number;
  user_id: number;
  /** The account that received the quota: the user, or an organization. */
  account_id: number;
  quota: number;
  created_time: number;
}

interface ChannelTable {
  id: Generated<number>;
  type: number;
  key_sealed: string;
  /** Used to find a channel by its exact key. */
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
  /** Configuration as JSON, encrypted because parts of it are secret; empty if there is none. */
  config_sealed: string;
  system_prompt: string;
  /** JSON; empty if there is none. */
  purchase: Generated<string>;
  /** JSON; empty if there are none. */
  rules: Generated<string>;
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
  /** Label for filtering and changing channels together; empty: none. */
  tag: Generated<string>;
  key_strategy: Generated<KeyStrategy>;
  /** 0: a single key, without a row in `channel_keys`. Otherwise `key_sealed` is the first enabled key. */
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
  /** Cause of an early end; empty for complete requests and for rows that are not about a request. */
  ended_by: LogEndCause | '';
  /** Group whose ratio was charged. */
  group: string;
  /** Milliseconds until the first byte of a streamed response. */
  first_byte_time: number;
  /** HTTP status of a failure. */
  status: number;
  reason: LogReason | '';
  cached_tokens: number;
  cache_write_tokens: number;
  reasoning_tokens: number;
  /** Cost for the operator, in points. */
  cost: number;
  /** Node that served the request; empty if there is only one. */
  node: string;
}

/** Latency histogram of a model by hour or day, collected while the status page is enabled. */
interface ModelLatencyTable extends Omit<LatencyHourTable, 'hour'> {
  kind: 'hour' | 'day';
  /** First second of the hour or day. */
  start: number;
  model_name: string;
}
