/** Supported gateways and their display names. */
export const sourceKinds = { 'one-api': 'One API', 'new-api': 'new-api', litellm: 'LiteLLM' } as const;
export type SourceKind = keyof typeof sourceKinds;
/** Gateways with the same tables as One API. */
export type OneApiSourceKind = Exclude<SourceKind, 'litellm'>;

/** A source row. Integers beyond the safe range are bigints. */
export type SourceRow = Readonly<Record<string, unknown>>;

const columns = (names: string): readonly string[] => names.split(' ');

/** Columns that are read. Missing tables are empty, missing columns are absent. */
export const sourceColumns = {
  users: columns(
    'id username password display_name role status email github_id wechat_id lark_id oidc_id discord_id telegram_id ' +
      'linux_do_id quota used_quota request_count group aff_code aff_count aff_quota inviter_id created_at deleted_at',
  ),
  tokens: columns(
    'id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota used_quota models ' +
      'subnet model_limits_enabled model_limits allow_ips group deleted_at',
  ),
  channels: columns(
    'id type key status name weight created_time test_time response_time base_url other balance balance_updated_time ' +
      'models group used_quota model_mapping priority config system_prompt open_ai_organization status_code_mapping tag ' +
      'setting param_override header_override channel_info',
  ),
  redemptions: columns(
    'id user_id key status name quota created_time redeemed_time used_user_id deleted_at expired_time',
  ),
  options: columns('key value'),
  two_fas: columns('user_id is_enabled'),
  passkey_credentials: columns('user_id deleted_at'),
  user_oauth_bindings: columns('user_id provider_id'),
  custom_oauth_providers: columns('id name'),
  top_ups: columns('id user_id amount money trade_no payment_method payment_provider create_time complete_time status'),
  subscription_plans: columns(
    'id title subtitle price_amount currency duration_unit duration_value custom_seconds enabled sort_order ' +
      'allow_wallet_overflow max_purchase_per_user upgrade_group downgrade_group total_amount quota_reset_period ' +
      'quota_reset_custom_seconds created_at',
  ),
  subscription_orders: columns(
    'id user_id plan_id money trade_no payment_method payment_provider status create_time complete_time',
  ),
  user_subscriptions: columns(
    'id user_id plan_id amount_total amount_used start_time end_time status last_reset_time next_reset_time ' +
      'upgrade_group prev_user_group downgrade_group allow_wallet_overflow created_at',
  ),
  LiteLLM_UserTable: columns(
    'user_id user_alias sso_user_id teams user_role max_budget spend user_email models max_parallel_requests tpm_limit ' +
      'rpm_limit budget_duration model_max_budget created_at',
  ),
  LiteLLM_TeamTable: columns(
    'team_id team_alias organization_id members_with_roles max_budget spend models max_parallel_requests tpm_limit ' +
      'rpm_limit budget_duration blocked created_at',
  ),
  LiteLLM_OrganizationTable: columns('organization_id organization_alias budget_id models spend created_at'),
  LiteLLM_OrganizationMembership: columns('user_id organization_id user_role spend budget_id'),
  LiteLLM_VerificationToken: columns(
    'token key_name key_alias spend expires models aliases user_id team_id project_id max_parallel_requests blocked ' +
      'tpm_limit rpm_limit max_budget budget_duration allowed_routes model_max_budget budget_id created_at last_active',
  ),
  LiteLLM_BudgetTable: columns('budget_id max_budget max_parallel_requests tpm_limit rpm_limit budget_duration'),
  LiteLLM_TeamMembership: columns('user_id team_id spend budget_id'),
  LiteLLM_ProxyModelTable: columns('model_id model_name litellm_params model_info blocked'),
  LiteLLM_CredentialsTable: columns('credential_name credential_values'),
  logs: columns(
    'id user_id created_at type content username token_name model_name quota prompt_tokens completion_tokens channel_id ' +
      'request_id elapsed_time use_time is_stream system_prompt_reset group other',
  ),
  LiteLLM_SpendLogs: columns(
    'request_id api_key spend prompt_tokens completion_tokens startTime endTime request_duration_ms completionStartTime ' +
      'model model_group user team_id status metadata end_user request_tags',
  ),
} as const;

const logTables = ['logs', 'LiteLLM_SpendLogs'] as const;
export type SourceTable = Exclude<keyof typeof sourceColumns, (typeof logTables)[number]>;

/** Timeouts of a server, in milliseconds. */
export interface SourceLimits {
  readonly connectMs: number;
  /** Statement timeout. It also bounds how long other sessions wait for the statement's locks. */
  readonly statementMs: number;
  /** Lock timeout, part of the statement timeout. */
  readonly lockMs: number;
  /** Additional time before a server that ignores its own timeout is abandoned. */
  readonly graceMs: number;
}

export const defaultSourceLimits: SourceLimits = {
  connectMs: 10_000,
  statementMs: 60_000,
  lockMs: 5000,
  graceMs: 5000,
};

/** Tables that are read completely: all except the logs. */
export const sourceTables = Object.keys(sourceColumns).filter(
  (table): table is SourceTable => !logTables.some((name) => name === table),
);

/** Maximum rows per table except the logs, because all of them are kept in memory. */
export const maxRows = 5_000_000;

/** Longest text that is read completely, in characters. One more character is read to detect longer texts. */
export const maxTextLength = 1_000_000;
/** Longest text of a log; the rest is dropped. */
export const maxLogTextLength = 16_000;

/** A consistent snapshot of the source, without its logs. */
export interface SourceContents {
  readonly tables: Readonly<Record<SourceTable, readonly SourceRow[]>>;
  /** Last log at the time of the snapshot. Later logs are not part of the imported usage. */
  readonly lastLogId: LogId;
}

/** Cast, because `Object.fromEntries` loses the table names. */
export const emptyTables = (): SourceContents['tables'] =>
  Object.fromEntries(sourceTables.map((table) => [table, []])) as unknown as SourceContents['tables'];

/**
 * Cursor of a log: its number, or for LiteLLM its start time and text id, separated by a line break. 0 is before the
 * first log.
 */
export type LogId = number | string;

export interface LogPage {
  /** Exclusive lower bound of the ids; `upTo` is inclusive. */
  readonly after: LogId;
  readonly upTo: LogId;
  /** Seconds since 1970. */
  readonly since: number;
  readonly limit: number;
}

export interface LogRows {
  /** Ordered by id. */
  readonly rows: readonly SourceRow[];
  /** Highest id scanned; undefined when no logs are left. */
  readonly last: LogId | undefined;
}

/**
 * The database of another gateway. It is opened read-only and may be in use; locks are released after each of these
 * calls.
 */
export interface ImportSource {
  readonly kind: SourceKind;
  /** Location for messages, without the password. */
  readonly location: string;
  contents(): Promise<SourceContents>;
  logs(page: LogPage): Promise<LogRows>;
  close(): Promise<void>;
}

type ColumnsOf = (table: string) => ReadonlySet<string>;

const distinctiveColumns: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['users', ['id', 'username', 'password', 'role', 'quota', 'used_quota']],
  ['tokens', ['id', 'user_id', 'key', 'remain_quota']],
  ['channels', ['id', 'type', 'key', 'models', 'group']],
  ['options', ['key', 'value']],
];

/** Detected by columns that only one of the gateways has; undefined if it is none of them. */
export function detectKind(columnsOf: ColumnsOf): SourceKind | undefined {
  const isLitellm =
    columnsOf('LiteLLM_VerificationToken').has('token') && columnsOf('LiteLLM_UserTable').has('user_id');
  if (isLitellm) return 'litellm';
  const isGateway = distinctiveColumns.every(([table, columns]) =>
    columns.every((column) => columnsOf(table).has(column)),
  );
  if (!isGateway) return undefined;
  const isNewApi = columnsOf('tokens').has('model_limits') || columnsOf('users').has('aff_quota');
  return isNewApi ? 'new-api' : 'one-api';
}
