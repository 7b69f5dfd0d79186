/** The gateways whose databases can be read, by what people call them. */
export const sourceKinds = { 'one-api': 'One API', 'new-api': 'new-api' } as const;
export type SourceKind = keyof typeof sourceKinds;

/** A row as the source has it. A whole number that is too large to be counted exactly is a bigint. */
export type SourceRow = Readonly<Record<string, unknown>>;

const columns = (names: string): readonly string[] => names.split(' ');

/** What is read of each table. A table that the source does not have is empty, and a column that it does not have is absent. */
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
  logs: columns(
    'id user_id created_at type content username token_name model_name quota prompt_tokens completion_tokens channel_id ' +
      'request_id elapsed_time use_time is_stream system_prompt_reset group other',
  ),
} as const;
export type SourceTable = Exclude<keyof typeof sourceColumns, 'logs'>;

/** How long a server may take, in milliseconds. */
export interface SourceLimits {
  readonly connectMs: number;
  /** One statement; who waits for what it has locked waits no longer than that. */
  readonly statementMs: number;
  /** Of that, waiting for what somebody else has locked. */
  readonly lockMs: number;
  /** How much later than by its own limit it is given up as silent. */
  readonly graceMs: number;
}

export const usualSourceLimits: SourceLimits = {
  connectMs: 10_000,
  statementMs: 60_000,
  lockMs: 5000,
  graceMs: 5000,
};

/** What is read at once: all but the logs. */
export const sourceTables = (Object.keys(sourceColumns) as (keyof typeof sourceColumns)[]).filter(
  (table) => table !== 'logs',
);

/** More rows than that are in no table but the one of the logs; all of these are held in memory. */
export const mostRows = 5_000_000;

/** The longest text that is read as it is, in characters; of one that is longer a little more than that is read. */
export const longestText = 1_000_000;
/** Of a log no more is kept of any text. */
export const longestLogText = 16_000;

/** All of the source but its logs, as of one moment. */
export interface SourceContents {
  readonly tables: Readonly<Record<SourceTable, readonly SourceRow[]>>;
  /** The last log there was at that moment: what was used until then is told by no later one. */
  readonly lastLogId: number;
}

export interface LogPage {
  /** Only logs with a higher id than this, and none higher than the other. */
  readonly after: number;
  readonly upTo: number;
  /** In seconds since 1970. */
  readonly since: number;
  readonly most: number;
}

export interface LogRows {
  /** In the order of their ids. */
  readonly rows: readonly SourceRow[];
  /** Up to this id everything has been looked at; undefined when nothing is left. */
  readonly last: number | undefined;
}

/**
 * The database of another gateway. It is only read, and may be in use meanwhile: nobody is kept waiting for longer than one
 * of these calls takes.
 */
export interface ImportSource {
  readonly kind: SourceKind;
  /** What it is called in front of people: where it is, without any password. */
  readonly place: string;
  contents(): Promise<SourceContents>;
  logs(page: LogPage): Promise<LogRows>;
  close(): Promise<void>;
}

type ColumnsOf = (table: string) => ReadonlySet<string>;

const needed: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['users', ['id', 'username', 'password', 'role', 'quota', 'used_quota']],
  ['tokens', ['id', 'user_id', 'key', 'remain_quota']],
  ['channels', ['id', 'type', 'key', 'models', 'group']],
  ['options', ['key', 'value']],
];

/** Told by columns that only one of them has; undefined for a database of neither. */
export function recognisedKind(columnsOf: ColumnsOf): SourceKind | undefined {
  const isGateway = needed.every(([table, columns]) => columns.every((column) => columnsOf(table).has(column)));
  if (!isGateway) return undefined;
  const isNewApi = columnsOf('tokens').has('model_limits') || columnsOf('users').has('aff_quota');
  return isNewApi ? 'new-api' : 'one-api';
}
