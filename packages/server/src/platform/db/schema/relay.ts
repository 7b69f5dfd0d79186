import type { SchemaPart } from './sql-syntax.ts';

/** Quota leases, charges that are not in the totals yet, limit usage, and stored requests and responses. */
export const relay: SchemaPart = {
  tables: ({ id, bytes }) => `
-- Quota that a node may spend alone.
create table leases (
  kind text not null,
  owner_id bigint not null,
  node bigint not null,
  points bigint not null,
  constraint leases_primary primary key (kind, owner_id, node)
);

-- Unreadable entries of the charge journal. PostgreSQL has them from a restored SQLite database.
create table set_aside_charges (
  id ${id},
  entry bigint not null,
  version integer not null,
  charges text not null,
  reason text not null,
  created_time bigint not null
);

-- Counters of limit rules, saved by each node.
create table limit_uses (
  key text primary key,
  told text not null,
  saved_time bigint not null
);

-- Responses stored by an upstream, with the channel and key that can continue them.
create table kept_responses (
  user_id bigint not null,
  response_id text not null,
  channel_id bigint not null,
  key_id bigint not null default 0,
  tokens bigint not null,
  attached_tokens bigint not null,
  item_tokens bigint not null default 0,
  expires_time bigint not null,
  constraint kept_responses_key primary key (user_id, response_id)
);
create index kept_responses_expires_time on kept_responses (expires_time);

create table kept_items (
  user_id bigint not null,
  item_id text not null,
  response_id text not null,
  expires_time bigint not null,
  constraint kept_items_key primary key (user_id, item_id)
);
create index kept_items_expires_time on kept_items (expires_time);

-- Responses stored by the gateway, for upstreams that store none. Long columns are last: the others are read without them.
create table stored_responses (
  user_id bigint not null,
  response_id text not null,
  created_time bigint not null,
  input_bytes bigint not null,
  answer_bytes bigint not null,
  stored_bytes bigint not null,
  input_sealed ${bytes} not null,
  answer_sealed ${bytes} not null,
  constraint stored_responses_key primary key (user_id, response_id)
);
create index stored_responses_user on stored_responses (user_id, created_time, stored_bytes);
create index stored_responses_created on stored_responses (created_time);

create table stored_response_items (
  user_id bigint not null,
  item_id text not null,
  response_id text not null,
  created_time bigint not null,
  constraint stored_response_items_key primary key (user_id, item_id)
);
create index stored_response_items_response on stored_response_items (user_id, response_id);
create index stored_response_items_created on stored_response_items (created_time);

-- Payload logging: for which tokens and users it is on.
create table body_keepings (
  kind text not null,
  owner_id bigint not null,
  user_id bigint not null,
  hours bigint not null,
  kilobytes bigint not null,
  is_own bigint not null,
  created_time bigint not null,
  constraint body_keepings_primary primary key (kind, owner_id)
);
create index body_keepings_user on body_keepings (user_id);

-- Stored payloads.
create table kept_bodies (
  request_id text primary key,
  user_id bigint not null,
  token_id bigint not null,
  created_time bigint not null,
  expires_time bigint not null,
  status bigint not null,
  request_bytes bigint not null,
  answer_bytes bigint not null,
  stored_bytes bigint not null,
  request_sealed ${bytes} not null,
  answer_sealed ${bytes} not null
);
create index kept_bodies_expiry on kept_bodies (expires_time, stored_bytes);
create index kept_bodies_user on kept_bodies (user_id);
create index kept_bodies_created on kept_bodies (created_time);
`,

  sqlite: `
-- Groups of charges that are durable, but not yet in the tables.
create table charge_journal (
  id integer primary key,
  version integer not null default 1,
  charges text not null
);
`,

  postgres: `
-- Groups of charges that are stored: a commit whose reply was lost can be looked up. SQLite loses none.
create table charge_groups (
  writer bigint not null,
  number bigint not null,
  stored_time bigint not null default extract(epoch from now())::bigint,
  constraint charge_groups_primary primary key (writer, number)
);

-- Sealed bytes were compressed before they were sealed.
alter table stored_responses alter column input_sealed set storage external, alter column answer_sealed set storage external;
alter table kept_bodies alter column request_sealed set storage external, alter column answer_sealed set storage external;
`,
};
