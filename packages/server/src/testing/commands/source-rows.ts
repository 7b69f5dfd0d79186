import type { OneApiSourceKind } from '@headgate/importer';
import { sourceKey, sourcePassword } from './import-fixture.ts';
import type { SourceRow } from './source-tables.ts';

type Rows = Readonly<Record<string, readonly SourceRow[]>>;

const password = sourcePassword.fastPasswordHash;

/** Accounts of either gateway: ordinary accounts and special cases of an import. */
const users: readonly SourceRow[] = [
  { id: 1, username: 'root', role: 100, password, quota: 400, used_quota: 100, aff_code: 'RooT' },
  { id: 2, username: 'boss', role: 10, password, email: 'Boss@Example.com', aff_code: 'b0Ss' },
  { id: 5, username: 'alice', password, quota: 1_000_000, used_quota: 250, group: 'vip', display_name: '爱丽丝 🐇' },
  { id: 9, username: 'bob', password, quota: -7, used_quota: 50, inviter_id: 2, wechat_id: 'wx_1', oidc_id: 'sub' },
  { id: 10, username: 'ALICE', password: null, quota: null, used_quota: null, group: null, status: null, role: null },
  { id: 11, username: 'rich', password, quota: 9_007_199_254_740_993n, used_quota: -5 },
  { id: 12, username: 'gone', password, status: 3, used_quota: 5 },
  { id: 13, username: null, display_name: null, email: null, quota: -9_223_372_036_854_775_808n },
];

const tokens: readonly SourceRow[] = [
  { id: 3, user_id: 5, key: sourceKey(3), name: 'phone', used_quota: 9 },
  { id: 4, user_id: 9, key: sourceKey(4), name: 'limited', unlimited_quota: 0, remain_quota: 77, expired_time: 0 },
  { id: 8, user_id: 1, key: sourceKey(8), name: null, unlimited_quota: null, remain_quota: -3, status: 4 },
  { id: 9, user_id: 12, key: sourceKey(9) },
  { id: 10, user_id: 5, key: null },
];

const channels: readonly SourceRow[] = [
  {
    id: 6,
    type: 14,
    key: 'sk-ant-1',
    name: 'Claude',
    priority: 5,
    weight: 2,
    models: 'claude-a,claude-b',
    balance: 1.5,
  },
  { id: 7, key: 'sk-2', name: null, group: null, weight: null, priority: null, status: 0, used_quota: 12 },
  { id: 8, key: 'sk-3', model_mapping: '{"a":"b"}', base_url: 'https://a.example/', group: 'vip,default' },
  { id: 9, type: 99, key: 'sk-4', name: 'unknown' },
  { id: 10, key: 'sk-5', name: 'far too long', models: 'm,'.repeat(600_000) },
];

const redemptions: readonly SourceRow[] = [
  { id: 1, user_id: 2, key: 'c'.repeat(32), quota: 500 },
  { id: 2, user_id: 2, key: 'd'.repeat(32), status: 3, redeemed_time: 1_700_000_000 },
  { id: 3, user_id: null, key: 'e'.repeat(32), quota: -5, name: null },
];

const options: readonly SourceRow[] = [
  { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' },
  { key: 'SystemName', value: 'Our gateway' },
  { key: 'Notice', value: null },
  { key: 'SomethingOfTheirs', value: 'x' },
];

const time = 1_760_000_000;
const plainLog = {
  user_id: 5,
  created_at: time,
  type: 2,
  username: 'alice',
  token_name: 'phone',
  model_name: 'gpt-4o',
};

const logs: readonly SourceRow[] = [
  {
    ...plainLog,
    id: 1,
    quota: 70,
    prompt_tokens: 5,
    completion_tokens: 7,
    channel_id: 6,
    is_stream: 1,
    content: '倍率',
  },
  { ...plainLog, id: 2, quota: null, prompt_tokens: null, completion_tokens: null, is_stream: null, content: null },
  { ...plainLog, id: 3, quota: -9, created_at: time + 4000, channel_id: 404, request_id: 'r' },
  { ...plainLog, id: 4, user_id: 12, quota: 5 },
  { ...plainLog, id: 5, quota: 80, content: 'x'.repeat(50_000), created_at: time + 90_000 },
  { id: 6, user_id: 1, created_at: time, type: 1, quota: 500, content: 'top-up' },
  { id: 7, user_id: 0, created_at: time, type: 5, content: 'a test' },
  { ...plainLog, id: 9_007_199_254_740_990, quota: 6, prompt_tokens: 9_223_372_036_854_775_807n },
];

const own: Readonly<Record<OneApiSourceKind, Rows>> = {
  'one-api': {
    logs: [{ ...plainLog, id: 20, quota: 3, elapsed_time: 1234, is_stream: 1 }],
    tokens: [{ id: 20, user_id: 9, key: sourceKey(20), models: 'gpt-4o', subnet: '10.0.0.0/8' }],
    channels: [{ id: 20, type: 33, key: 'AK|SK|us-east-1', config: '{"region":"us-east-1","ak":"AK","sk":"SK"}' }],
  },
  'new-api': {
    users: [
      { id: 20, username: 'inviter', quota: 10, aff_quota: 5, created_at: 1_600_000_000, github_id: '583231' },
      { id: 21, username: 'deleted', deleted_at: '2026-01-01 00:00:00+00:00' },
      { id: 22, username: 'two steps', password, discord_id: '1' },
    ],
    two_fas: [{ user_id: 22, is_enabled: 1 }],
    custom_oauth_providers: [{ id: 3, name: 'Our company' }],
    user_oauth_bindings: [{ user_id: 22, provider_id: 3, provider_user_id: 'someone' }],
    passkey_credentials: [{ user_id: 20, credential_id: 'c' }],
    tokens: [
      {
        id: 20,
        user_id: 9,
        key: sourceKey(20),
        model_limits_enabled: 1,
        model_limits: 'a,b',
        allow_ips: '10.0.0.1\n::1',
      },
      { id: 21, user_id: 9, key: sourceKey(21), deleted_at: '2026-01-01 00:00:00+00:00' },
    ],
    channels: [
      {
        id: 20,
        key: 'sk-1\nsk-2\nsk-3',
        name: 'many',
        tag: 'cheap',
        channel_info:
          '{"is_multi_key":true,"multi_key_size":3,"multi_key_status_list":{"1":3,"2":2},"multi_key_mode":"random"}',
      },
      {
        id: 21,
        key: 'k',
        name: 'none',
        channel_info: null,
        setting: '{"proxy":"socks5://x","system_prompt":"Be kind"}',
      },
    ],
    subscription_plans: [
      {
        id: 1,
        title: 'Pro',
        price_amount: 9.99,
        currency: 'USD',
        duration_unit: 'month',
        duration_value: 1,
        enabled: 1,
        total_amount: 900,
      },
      { id: 2, title: null, total_amount: null, enabled: null, duration_unit: null },
    ],
    user_subscriptions: [
      {
        id: 1,
        user_id: 5,
        plan_id: 1,
        amount_total: 900,
        amount_used: 20,
        start_time: time,
        end_time: 4_000_000_000,
        status: 'active',
      },
      { id: 2, user_id: 12, plan_id: 1, amount_total: 900, end_time: 4_000_000_000, status: 'active' },
    ],
    subscription_orders: [
      {
        id: 1,
        user_id: 5,
        plan_id: 1,
        money: 9.99,
        trade_no: 'SUB1',
        payment_method: 'stripe',
        status: 'success',
        create_time: time,
      },
    ],
    top_ups: [
      {
        id: 1,
        user_id: 5,
        amount: 2,
        money: 14.6,
        trade_no: 'USR1',
        payment_method: 'alipay',
        status: 'success',
        create_time: time,
      },
      { id: 2, user_id: 5, amount: 2, money: 14.6, trade_no: 'USR2', payment_method: 'alipay', status: 'pending' },
    ],
    redemptions: [{ id: 20, key: 'f'.repeat(32), expired_time: 4_000_000_000, used_user_id: 5 }],
    logs: [
      {
        ...plainLog,
        id: 20,
        quota: 3,
        use_time: 2,
        is_stream: 1,
        group: 'vip',
        other: '{"group_ratio":0.8,"cache_tokens":3,"frt":110}',
      },
      { ...plainLog, id: 21, type: 5, quota: 0, content: 'failed', other: '{"broken' },
    ],
  },
};

const common: Rows = { users, tokens, channels, redemptions, options, logs };

/** Rows of a source gateway of this kind by table, for any database. */
export const sourceRows = (kind: OneApiSourceKind): Rows => ({
  ...common,
  ...Object.fromEntries(Object.entries(own[kind]).map(([table, rows]) => [table, [...(common[table] ?? []), ...rows]])),
});
