import type { SQLInputValue } from 'node:sqlite';
import type { OneApiSourceKind } from '@headgate/importer';

type Columns = readonly string[];

const names = (types: string): Columns => types.split(', ');

/** Tables as the source gateways create them: names, order and types of their columns. */
export const sourceTables: Readonly<Record<OneApiSourceKind, Readonly<Record<string, Columns>>>> = {
  'one-api': {
    channels: names(
      'id integer primary key autoincrement, type integer, key text, status integer, name text, weight integer, created_time integer, test_time integer, response_time integer, base_url text, other text, balance real, balance_updated_time integer, models text, group varchar(32), used_quota integer, model_mapping varchar(1024), priority integer, config text, system_prompt text',
    ),
    logs: names(
      'id integer primary key autoincrement, user_id integer, created_at integer, type integer, content text, username text, token_name text, model_name text, quota integer, prompt_tokens integer, completion_tokens integer, channel_id integer, request_id text, elapsed_time integer, is_stream numeric, system_prompt_reset numeric',
    ),
    options: names('key text, value text'),
    redemptions: names(
      'id integer primary key autoincrement, user_id integer, key char(32), status integer, name text, quota integer, created_time integer, redeemed_time integer',
    ),
    tokens: names(
      'id integer primary key autoincrement, user_id integer, key char(48), status integer, name text, created_time integer, accessed_time integer, expired_time integer, remain_quota integer, unlimited_quota numeric, used_quota integer, models text, subnet text',
    ),
    users: names(
      'id integer primary key autoincrement, username text unique, password text, display_name text, role integer, status integer, email text, github_id text, wechat_id text, lark_id text, oidc_id text, access_token char(32), quota integer, used_quota integer, request_count integer, group varchar(32), aff_code varchar(32), inviter_id integer',
    ),
  },
  'new-api': {
    channels: names(
      'id integer primary key autoincrement, type integer, key text, open_ai_organization text, test_model text, status integer, name text, weight integer, created_time integer, test_time integer, response_time integer, base_url text, other text, balance real, balance_updated_time integer, models text, group varchar(64), used_quota integer, model_mapping text, status_code_mapping varchar(1024), priority integer, auto_ban integer, other_info text, tag text, setting text, param_override text, header_override text, remark varchar(255), channel_info json, settings text',
    ),
    logs: names(
      'id integer primary key autoincrement, user_id integer, created_at integer, type integer, content text, username text, token_name text, model_name text, quota integer, prompt_tokens integer, completion_tokens integer, use_time integer, is_stream numeric, channel_id integer, channel_name text, token_id integer, group text, ip text, request_id varchar(64), upstream_request_id varchar(128), other text',
    ),
    options: names('key text, value text'),
    redemptions: names(
      'id integer primary key autoincrement, user_id integer, key char(32), status integer, name text, quota integer, created_time integer, redeemed_time integer, used_user_id integer, deleted_at datetime, expired_time integer',
    ),
    tokens: names(
      'id integer primary key autoincrement, user_id integer, key varchar(128), status integer, name text, created_time integer, accessed_time integer, expired_time integer, remain_quota integer, unlimited_quota numeric, model_limits_enabled numeric, model_limits text, allow_ips text, used_quota integer, group text, cross_group_retry numeric, auto_groups text, deleted_at datetime',
    ),
    custom_oauth_providers: names(
      'id integer primary key autoincrement, name varchar(64), slug varchar(64), enabled numeric',
    ),
    passkey_credentials: names(
      'id integer primary key autoincrement, user_id integer, credential_id varchar(512), public_key text, deleted_at datetime',
    ),
    user_oauth_bindings: names(
      'id integer primary key autoincrement, user_id integer, provider_id integer, provider_user_id varchar(256), created_at datetime',
    ),
    top_ups: names(
      'id integer primary key autoincrement, user_id integer, amount integer, money real, trade_no varchar(255), payment_method varchar(50), payment_provider varchar(50), create_time integer, complete_time integer, status text',
    ),
    subscription_plans: names(
      'id integer primary key autoincrement, title varchar(128), subtitle varchar(255), price_amount real, currency varchar(8), duration_unit varchar(16), duration_value integer, custom_seconds integer, enabled numeric, sort_order integer, allow_balance_pay numeric, allow_wallet_overflow numeric, stripe_price_id varchar(128), max_purchase_per_user integer, upgrade_group varchar(64), downgrade_group varchar(64), total_amount integer, quota_reset_period varchar(16), quota_reset_custom_seconds integer, created_at integer, updated_at integer',
    ),
    subscription_orders: names(
      'id integer primary key autoincrement, user_id integer, plan_id integer, money real, trade_no varchar(255), payment_method varchar(50), payment_provider varchar(50), status text, create_time integer, complete_time integer, provider_payload text',
    ),
    user_subscriptions: names(
      'id integer primary key autoincrement, user_id integer, plan_id integer, amount_total integer, amount_used integer, start_time integer, end_time integer, status varchar(32), source varchar(32), last_reset_time integer, next_reset_time integer, upgrade_group varchar(64), prev_user_group varchar(64), downgrade_group varchar(64), allow_wallet_overflow numeric, created_at integer, updated_at integer',
    ),
    two_fas: names(
      'id integer primary key autoincrement, user_id integer, secret varchar(255), is_enabled numeric, failed_attempts integer, locked_until datetime, last_used_at datetime, created_at datetime, updated_at datetime, deleted_at datetime',
    ),
    users: names(
      'id integer primary key autoincrement, username text unique, password text, display_name text, role integer, status integer, email text, github_id text, discord_id text, oidc_id text, wechat_id text, telegram_id text, access_token char(32), quota integer, used_quota integer, request_count integer, group varchar(64), aff_code varchar(32), aff_count integer, aff_quota integer, aff_history integer, inviter_id integer, deleted_at datetime, linux_do_id text, setting text, remark varchar(255), stripe_customer varchar(64), created_at integer, last_login_at integer, auth_version bigint',
    ),
  },
};

export type SourceRow = Readonly<Record<string, SQLInputValue>>;

/** Default values of rows in tests. */
export const defaultValues: Readonly<Record<string, SourceRow>> = {
  users: {
    password: '',
    display_name: '',
    role: 1,
    status: 1,
    quota: 0,
    used_quota: 0,
    request_count: 0,
    group: 'default',
  },
  tokens: {
    status: 1,
    name: 'key',
    created_time: 1_700_000_000,
    expired_time: -1,
    remain_quota: 0,
    unlimited_quota: 1,
  },
  channels: { type: 1, status: 1, name: 'channel', models: 'gpt-4o', group: 'default', created_time: 1_700_000_000 },
  redemptions: { user_id: 1, status: 1, name: 'code', quota: 100, created_time: 1_700_000_000 },
};

/** Type names of gorm by SQLite type name. */
type TypeNames = Readonly<Record<string, string>>;

const onPostgres: TypeNames = {
  'integer primary key autoincrement': 'bigserial primary key',
  integer: 'bigint',
  numeric: 'boolean',
  real: 'double precision',
  datetime: 'timestamptz',
};

const onMysql: TypeNames = {
  'integer primary key autoincrement': 'bigint auto_increment primary key',
  integer: 'bigint',
  numeric: 'tinyint(1)',
  real: 'double',
  datetime: 'datetime(3)',
  text: 'longtext',
  'text unique': 'varchar(191) unique',
};

/** Statements that create the tables on PostgreSQL as the source gateways do. */
export const tablesOnPostgres = (kind: OneApiSourceKind): readonly string[] => statements(kind, onPostgres);

/** Statements that create the tables on MySQL, with standard quotes. */
export const tablesOnMysql = (kind: OneApiSourceKind): readonly string[] => statements(kind, onMysql);

function statements(kind: OneApiSourceKind, words: TypeNames): readonly string[] {
  return Object.entries(sourceTables[kind]).map(([table, columns]) => {
    const typed = columns.map((column) => {
      const [name = '', ...type] = column.split(' ');
      return `"${name}" ${words[type.join(' ')] ?? type.join(' ')}`;
    });
    return `create table "${table}" (${typed.join(', ')})`;
  });
}

export const flagColumns: ReadonlySet<string> = new Set(
  Object.values(sourceTables)
    .flatMap((tables) => Object.values(tables).flat())
    .filter((column) => column.endsWith(' numeric'))
    .map((column) => column.split(' ', 1)[0] ?? ''),
);
