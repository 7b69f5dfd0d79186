import type { SchemaPart } from './sql-syntax.ts';

/** Alerts and latencies of models. */
export const observability: SchemaPart = {
  tables: ({ id }) => `
create table alert_receivers (
  id ${id},
  kind text not null,
  name text not null,
  language text not null,
  settings_sealed text not null,
  created_time bigint not null,
  last_time bigint not null default 0,
  last_error text not null default ''
);

create table alert_rules (
  id ${id},
  kind text not null,
  settings text not null,
  created_time bigint not null
);

-- When a rule last fired for a subject.
create table alert_claims (
  rule_id bigint not null,
  subject text not null,
  time bigint not null,
  constraint alert_claims_key primary key (rule_id, subject)
);

-- Notifications. An event that several nodes report is sent once to each receiver.
create table alert_queue (
  id ${id},
  event_id text not null,
  kind text not null,
  receiver_id bigint not null,
  receiver_kind text not null,
  receiver_name text not null,
  title text not null,
  message text not null,
  state text not null,
  tries bigint not null default 0,
  created_time bigint not null,
  next_time bigint not null,
  sent_time bigint not null default 0,
  leased_ms bigint not null default 0,
  last_error text not null default '',
  constraint alert_queue_once unique (event_id, receiver_id)
);
create index alert_queue_due on alert_queue (state, next_time);
create index alert_queue_created on alert_queue (created_time);

-- Requests and failures of the last minutes, for alert rules.
create table alert_minutes (
  minute bigint not null,
  node text not null,
  channel bigint not null,
  requests bigint not null,
  failures bigint not null,
  latencies text not null,
  constraint alert_minutes_key primary key (minute, node, channel)
);

-- Latency histograms of models, for the status page.
create table model_latencies (
  kind text not null,
  start bigint not null,
  model_name text not null,
  bucket bigint not null,
  elapsed bigint not null default 0,
  first_byte bigint not null default 0,
  constraint model_latencies_once primary key (kind, start, model_name, bucket)
);
`,
};
