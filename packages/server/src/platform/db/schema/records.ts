import { newLogLock } from '../locks.ts';
import type { SchemaPart } from './sql-syntax.ts';

/** Counters of the rollups of logs. */
const counterNames = [
  'rows',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'cost',
];
const counters = counterNames.map((name) => `${name} bigint not null`).join(',\n  ');
const counterList = counterNames.join(', ');

const usageKeys = `user_id bigint not null,
  token_name text not null,
  model_name text not null,
  channel bigint not null,
  "group" text not null,
  type bigint not null,
  username text not null`;
const usageColumns = `user_id, token_name, model_name, channel, "group", type, username, ${counterList}`;
const siteColumns = `hour, channel, model_name, "group", type, reason, status, ${counterList}`;

/**
 * Four buckets for each doubling, as in records/logs/latency-buckets.ts. The small term corrects rounding at powers of
 * two.
 */
const bucketOf = (column: string) => `cast(floor(4 * ln(${column}) / ln(2) + 0.000001) as bigint)`;
const latenciesOf = (column: string, counts: string) => `select id, created_at, created_at - created_at % 3600 as hour,
    ${bucketOf(column)} as bucket, ${counts} from logs where type = 2 and ${column} > 0`;

/**
 * View of the logs in the format of the rollups, and views that combine rollups with newer logs. `rolled_up_log` is the
 * id of the last log in the rollups; `lastId` is an upper bound that makes PostgreSQL expect few newer logs and look
 * them up by id.
 */
const views = (lastId: string) => {
  const isNew = `id > coalesce((select cast(value as bigint) from meta where key = 'rolled_up_log'), 0)${lastId}`;
  const now = (table: string, columns: string, from = 'new_logs') =>
    `create view ${table}_now as select ${columns} from ${table} union all select ${columns} from ${from};`;
  return `
create view counted_logs as
  select id, created_at, created_at - created_at % 3600 as hour, created_at - created_at % 86400 as day, user_id, token_name, model_name,
    channel, "group", type, username, reason, status, 1 as rows, quota, prompt_tokens, completion_tokens, cached_tokens,
    cache_write_tokens, cost
  from logs;
create view new_logs as select * from counted_logs where ${isNew};
create view log_latencies as
  ${latenciesOf('elapsed_time', '1 as elapsed, 0 as first_byte')}
  union all ${latenciesOf('first_byte_time', '0 as elapsed, 1 as first_byte')};
${now('usage_hours', `hour, ${usageColumns}`)}
${now('usage_days', `day, ${usageColumns}`)}
${now('site_hours', siteColumns)}
${now('latency_hours', 'hour, bucket, elapsed, first_byte', `log_latencies where ${isNew}`)}
${now('log_names', 'username, token_name, user_id')}
`;
};

/** Logs, their rollups, and bulk changes. */
export const records: SchemaPart = {
  tables: ({ partitionedId, clustered, byMonth }) => `
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

-- Rollups of logs by hour and day. They are derived from the logs alone: see records/logs/rollup-repository.ts.
create table usage_hours (
  hour bigint not null,
  ${usageKeys},
  ${counters},
  constraint usage_hours_primary primary key (hour, user_id, token_name, model_name, channel, "group", type, username)
) ${clustered} ${byMonth('hour')};
create index usage_hours_user_id on usage_hours (user_id, hour);

create table usage_days (
  day bigint not null,
  ${usageKeys},
  ${counters},
  constraint usage_days_primary primary key (day, user_id, token_name, model_name, channel, "group", type, username)
) ${clustered} ${byMonth('day')};

-- The same without users: small, whatever the number of users.
create table site_hours (
  hour bigint not null,
  channel bigint not null,
  model_name text not null,
  "group" text not null,
  type bigint not null,
  reason text not null,
  status bigint not null,
  ${counters},
  constraint site_hours_primary primary key (hour, channel, model_name, "group", type, reason, status)
) ${clustered};
create index site_hours_model_name on site_hours (model_name, hour);

create table latency_hours (
  hour bigint not null,
  bucket bigint not null,
  elapsed bigint not null,
  first_byte bigint not null,
  constraint latency_hours_primary primary key (hour, bucket)
) ${clustered};

-- Names that logs have, and their users: leads from a name to the index by user.
create table log_names (
  username text not null,
  token_name text not null,
  user_id bigint not null,
  constraint log_names_primary primary key (username, token_name, user_id)
);
create index log_names_token on log_names (token_name, user_id);
create index log_names_user on log_names (user_id);

-- Bulk changes, to undo them.
create table bulk_runs (
  id text not null primary key,
  subject text not null,
  created_time bigint not null,
  rows text not null
);
`,

  sqlite: views(''),

  postgres: `
${views(' and id <= (select last_value from logs_id_seq)')}
-- Every statement that inserts logs holds this lock from before the first id until its commit: see records/logs/rollup-repository.ts.
create function lock_new_logs() returns trigger language plpgsql as
  'begin perform pg_advisory_xact_lock_shared(${newLogLock}); return null; end';
create trigger logs_lock_new before insert on logs for each statement execute function lock_new_logs();
`,
};
