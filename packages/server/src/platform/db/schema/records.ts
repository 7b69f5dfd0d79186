import type { SchemaPart } from './spelling.ts';

/** Counters of the rollups of logs. */
const counters = `rows bigint not null,
  quota bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  cost bigint not null`;

const userHourColumns = `user_id bigint not null,
  hour bigint not null,
  type bigint not null,
  username text not null,
  model_name text not null,
  "group" text not null,
  ${counters}`;

/** Logs, their rollups, and bulk changes. */
export const records: SchemaPart = {
  tables: ({ partitionedId, bytes, clustered, byMonth }) => `
create table logs (
  id ${partitionedId},
  user_id bigint not null,
  created_at bigint not null,
  type integer not null,
  content text not null default '',
  username text not null default '',
  token_name text not null default '',
  model_name text not null default '',
  quota bigint not null default 0,
  prompt_tokens bigint not null default 0,
  completion_tokens bigint not null default 0,
  channel bigint not null default 0,
  request_id text not null default '',
  elapsed_time bigint not null default 0,
  is_stream integer not null default 0,
  system_prompt_reset integer not null default 0,
  detail text not null default '',
  ended_by text not null default '',
  "group" text not null default '',
  reason text not null default '',
  status integer not null default 0,
  first_byte_time bigint not null default 0,
  cached_tokens bigint not null default 0,
  cache_write_tokens bigint not null default 0,
  reasoning_tokens bigint not null default 0,
  cost bigint not null default 0,
  node text not null default ''
) ${byMonth('created_at')};
create index logs_time on logs (created_at, id, type);
create index logs_user on logs (user_id, created_at, id);
create index logs_model on logs (model_name, created_at, id);
create index logs_channel on logs (channel, created_at, id);
-- Everything except consumption, which is most of the logs.
create index logs_others on logs (type, created_at, id) where type <> 2;

create table log_owners (
  username text not null,
  token_name text not null,
  user_id bigint not null,
  constraint log_owners_key primary key (username, token_name, user_id)
);
create index log_owners_token on log_owners (token_name, user_id);
create index log_owners_user on log_owners (user_id);

create table log_hours (
  hour bigint not null,
  type integer not null,
  rows bigint not null,
  quota bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cached_tokens bigint not null default 0,
  cache_write_tokens bigint not null default 0,
  cost bigint not null default 0,
  constraint log_hours_key primary key (hour, type)
);

-- Not clustered: its indexes would repeat the whole primary key.
create table usage_hours (
  hour bigint not null,
  type bigint not null,
  user_id bigint not null,
  username text not null,
  token_name text not null,
  model_name text not null,
  channel bigint not null,
  "group" text not null,
  ${counters},
  constraint usage_hours_primary primary key (hour, type, user_id, username, token_name, model_name, channel, "group")
) ${byMonth('hour')};
create index usage_hours_user_id on usage_hours (user_id, hour);
create index usage_hours_channel on usage_hours (channel, hour);

create table user_days (
  day bigint not null,
  type bigint not null,
  user_id bigint not null,
  ${counters},
  constraint user_days_primary primary key (day, type, user_id)
) ${clustered} ${byMonth('day')};

create table model_hours (
  model_name text not null,
  hour bigint not null,
  type bigint not null,
  "group" text not null,
  ${counters},
  constraint model_hours_primary primary key (model_name, hour, type, "group")
) ${clustered};

create table channel_hours (
  channel bigint not null,
  hour bigint not null,
  type bigint not null,
  model_name text not null,
  ${counters},
  constraint channel_hours_primary primary key (channel, hour, type, model_name)
) ${clustered};

create table latency_hours (
  hour bigint not null,
  bucket bigint not null,
  elapsed bigint not null,
  first_byte bigint not null,
  constraint latency_hours_primary primary key (hour, bucket)
) ${clustered};

create table failure_hours (
  hour bigint not null,
  channel bigint not null,
  model_name text not null,
  reason text not null,
  status bigint not null,
  rows bigint not null,
  constraint failure_hours_primary primary key (hour, channel, model_name, reason, status)
) ${clustered};

-- Usage of closed hours and days, packed by column.
create table usage_packs (
  kind text not null,
  start bigint not null,
  version bigint not null default 1,
  rows bigint not null,
  names text not null,
  user_id ${bytes},
  channel ${bytes},
  model_name ${bytes},
  token_name ${bytes},
  "group" ${bytes},
  requests ${bytes},
  failures ${bytes},
  quota ${bytes},
  prompt_tokens ${bytes},
  completion_tokens ${bytes},
  cached_tokens ${bytes},
  cost ${bytes},
  constraint usage_packs_primary primary key (kind, start)
);

-- Token names that many users have, and their usage in closed hours.
create table shared_token_names (
  id bigint not null primary key,
  name text not null unique
);

create table token_packs (
  hour bigint not null primary key,
  rows bigint not null,
  version bigint not null,
  names bigint not null,
  made bigint not null
);

create table token_hours (
  token_name text not null,
  hour bigint not null,
  type bigint not null,
  ${counters},
  constraint token_hours_primary primary key (token_name, hour, type)
) ${clustered};

-- Bulk changes, to undo them.
create table bulk_runs (
  id text not null primary key,
  subject text not null,
  created_time bigint not null,
  rows text not null
);
`,

  sqlite: `
create table user_hours (
  ${userHourColumns},
  constraint user_hours_primary primary key (user_id, hour, type, username, model_name, "group")
) without rowid;
`,

  // A user's rows are far apart; with the counters in the index, only the index is read.
  postgres: `
create table user_hours (
  ${userHourColumns}
) partition by range (hour);
create unique index user_hours_primary on user_hours (user_id, hour, type, username, model_name, "group")
  include (rows, quota, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, cost);

-- Decompressing packs takes longer than reading them.
alter table usage_packs
  alter column user_id set storage external,
  alter column channel set storage external,
  alter column model_name set storage external,
  alter column token_name set storage external,
  alter column "group" set storage external,
  alter column requests set storage external,
  alter column failures set storage external,
  alter column quota set storage external,
  alter column prompt_tokens set storage external,
  alter column completion_tokens set storage external,
  alter column cached_tokens set storage external,
  alter column cost set storage external;
`,
};
