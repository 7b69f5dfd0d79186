import type { SchemaPart } from './sql-syntax.ts';

/** Users, sign-in, API tokens, access tokens, redemption codes and budgets. */
export const accounts: SchemaPart = {
  tables: ({ id }) => `
create table users (
  id ${id},
  username text not null unique,
  -- The username without its case.
  name_key text,
  display_name text not null default '',
  password_hash text,
  role integer not null,
  status integer not null,
  email text,
  github_id text,
  wechat_id text,
  wechat_issuer text not null default '',
  lark_id text,
  oidc_id text,
  oidc_issuer text not null default '',
  second_factor integer not null default 0,
  sign_in_elsewhere integer not null default 0,
  access_token_hash text,
  "group" text not null default 'default',
  aff_code text,
  inviter_id bigint not null default 0,
  created_time bigint not null,
  -- The ledger: credited = quota + used_quota, and used_quota = logged + unlogged.
  quota bigint not null default 0,
  used_quota bigint not null default 0,
  credited bigint not null default 0,
  unlogged_quota bigint not null default 0,
  budgeted_quota bigint not null default 0,
  request_count bigint not null default 0
);
create unique index users_name_key on users (name_key);
create unique index users_email on users (email);
create unique index users_github_id on users (github_id);
create unique index users_wechat_id on users (wechat_id, wechat_issuer);
create unique index users_lark_id on users (lark_id);
create unique index users_oidc_id on users (oidc_id, oidc_issuer);
create unique index users_access_token on users (access_token_hash);
create unique index users_aff_code on users (aff_code);

create table sessions (
  id_hash text primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_time bigint not null,
  seen_time bigint not null,
  proved_time bigint not null default 0,
  address text not null default '',
  user_agent text not null default ''
);
create index sessions_user on sessions (user_id);
create index sessions_seen on sessions (seen_time);

-- Codes sent by email.
create table codes (
  purpose text not null,
  address text not null,
  code_hash text not null,
  expires_time bigint not null,
  attempts integer not null,
  constraint codes_key primary key (purpose, address)
);

-- One-time secrets of a sign-in that takes several steps.
create table tickets (
  ticket_hash text primary key,
  purpose text not null,
  browser_hash text not null default '',
  user_id bigint not null default 0,
  detail_sealed text not null default '',
  expires_time bigint not null
);
create index tickets_expiry on tickets (expires_time);

create table authenticators (
  user_id bigint primary key references users (id) on delete cascade,
  secret_sealed text not null,
  last_step bigint not null default 0
);

create table backup_codes (
  user_id bigint not null references users (id) on delete cascade,
  code_hash text not null,
  constraint backup_codes_key primary key (user_id, code_hash)
);

create table passkeys (
  id text primary key,
  user_id bigint not null references users (id) on delete cascade,
  public_key text not null,
  counter bigint not null default 0,
  transports text not null default '',
  name text not null default '',
  created_time bigint not null,
  used_time bigint not null default 0
);
create index passkeys_user on passkeys (user_id);

-- Fingerprints of identities that have received the quota of a new user.
create table known_identities (
  fingerprint text primary key
);

-- Networks a user has signed in from.
create table known_networks (
  user_id bigint not null,
  network text not null,
  seen_time bigint not null,
  constraint known_networks_key primary key (user_id, network)
);

-- Saved filters of lists.
create table user_views (
  user_id bigint not null,
  list text not null,
  name text not null,
  query text not null,
  created_time bigint not null,
  constraint user_views_key primary key (user_id, list, name)
);

create table access_tokens (
  id ${id},
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  scope text not null,
  key_hash text not null unique,
  created_time bigint not null,
  expired_time bigint not null,
  used_time bigint not null default 0
);
create index access_tokens_user on access_tokens (user_id);

create table tokens (
  id ${id},
  user_id bigint not null references users (id) on delete cascade,
  key_hash text not null unique,
  key_sealed text not null,
  -- The key before a rotation, valid until old_key_until.
  old_key_hash text not null default '',
  old_key_until bigint not null default 0,
  status integer not null,
  name text not null,
  note text not null default '',
  created_time bigint not null,
  accessed_time bigint not null default 0,
  expired_time bigint not null default -1,
  remain_quota bigint not null default 0,
  unlimited_quota integer not null default 0,
  used_quota bigint not null default 0,
  models text not null default '',
  subnet text not null default '',
  groups text not null default '',
  dialects text not null default '',
  endpoints text not null default '',
  channels text not null default '',
  tags text not null default ''
);
create index tokens_user on tokens (user_id, id);
create index tokens_old_key on tokens (old_key_hash) where old_key_hash <> '';

create table redemptions (
  id ${id},
  user_id bigint not null,
  key_hash text not null unique,
  key_sealed text not null,
  status integer not null,
  name text not null,
  quota bigint not null,
  created_time bigint not null,
  redeemed_time bigint not null default 0,
  redeemed_user_id bigint not null default 0
);

create table budgets (
  id ${id},
  owner_kind text not null,
  owner_id bigint not null default 0,
  owner_group text not null default '',
  amount bigint not null,
  period text not null,
  time_zone text not null,
  enabled bigint not null,
  note text not null default '',
  created_time bigint not null,
  constraint budgets_once unique (owner_kind, owner_id, owner_group, period)
);

create table budget_periods (
  id ${id},
  budget_id bigint not null,
  start_time bigint not null,
  used bigint not null default 0,
  noticed bigint not null default 0,
  constraint budget_periods_once unique (budget_id, start_time)
);
`,
};
