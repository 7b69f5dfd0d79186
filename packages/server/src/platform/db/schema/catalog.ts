import type { SchemaPart } from './sql-syntax.ts';

/** Channels with their keys and cooldowns, routing rules, model aliases, prices and limit rules. */
export const catalog: SchemaPart = {
  tables: ({ id }) => `
create table channels (
  id ${id},
  type integer not null,
  key_sealed text not null,
  key_fingerprint text not null,
  key_strategy text not null default 'round_robin',
  key_count bigint not null default 0,
  enabled_key_count bigint not null default 0,
  status integer not null,
  status_reason text not null default '',
  name text not null,
  tag text not null default '',
  weight bigint not null default 0,
  priority bigint not null default 0,
  created_time bigint not null,
  base_url text not null default '',
  other text not null default '',
  balance double precision not null default 0,
  balance_updated_time bigint not null default 0,
  models text not null default '',
  "group" text not null default 'default',
  used_quota bigint not null default 0,
  model_mapping text not null default '',
  config_sealed text not null default '',
  system_prompt text not null default '',
  purchase text not null default '',
  -- The last test.
  test_time bigint not null default 0,
  response_time bigint not null default 0,
  tested_model text not null default '',
  test_status bigint not null default 0,
  test_reason text not null default '',
  test_message text not null default '',
  -- The last failed requests.
  is_failing bigint not null default 0,
  failure_time bigint not null default 0,
  failure_count bigint not null default 0,
  failure_model text not null default '',
  failure_status bigint not null default 0,
  failure_reason text not null default '',
  failure_message text not null default ''
);
create index channels_key on channels (key_fingerprint);

-- Keys of channels with more than one.
create table channel_keys (
  id ${id},
  channel_id bigint not null references channels (id) on delete cascade,
  key_sealed text not null,
  key_fingerprint text not null,
  weight bigint not null,
  status bigint not null,
  status_reason text not null default '',
  created_time bigint not null,
  used_time bigint not null default 0,
  request_count bigint not null default 0,
  test_time bigint not null default 0,
  response_time bigint not null default 0,
  failure_time bigint not null default 0,
  failure_count bigint not null default 0,
  failure_status bigint not null default 0,
  failure_reason text not null default '',
  failure_message text not null default '',
  constraint channel_keys_once unique (channel_id, key_fingerprint)
);
create index channel_keys_fingerprint on channel_keys (key_fingerprint);

-- Which channel serves which model to which group.
create table abilities (
  "group" text not null,
  model text not null,
  channel_id bigint not null references channels (id) on delete cascade,
  enabled integer not null,
  priority bigint not null,
  weight bigint not null,
  constraint abilities_key primary key ("group", model, channel_id)
);
create index abilities_channel on abilities (channel_id);

-- Cooldowns of a channel's models. The duration of the last one decides that of the next.
create table channel_pauses (
  id ${id},
  channel_id bigint not null references channels (id) on delete cascade,
  model text not null default '',
  reason text not null default '',
  message text not null default '',
  status bigint not null default 0,
  since bigint not null,
  next_probe bigint not null,
  pause bigint not null,
  probes bigint not null default 0,
  ended_time bigint not null default 0,
  is_disabled bigint not null default 0,
  constraint channel_pauses_once unique (channel_id, model)
);
create index channel_pauses_due on channel_pauses (ended_time, next_probe);

create table routing_rules (
  id ${id},
  "group" text not null default '',
  model text not null default '',
  strategy text not null,
  affinity text not null,
  fits_window bigint not null default 0,
  hedge_ms bigint not null default 0,
  fallbacks text not null default '',
  created_time bigint not null,
  constraint routing_rules_once unique ("group", model)
);

create table model_aliases (
  id ${id},
  pattern text not null,
  model text not null,
  created_time bigint not null,
  constraint model_aliases_once unique (pattern)
);

-- Saved prices. Built-in prices have no row.
create table prices (
  id ${id},
  model text not null,
  part text not null,
  unit text not null,
  -- A decimal number: of USD for one unit, or a ratio to the input price (reasoning: to the output price).
  amount text not null,
  currency text not null,
  source text not null,
  updated_time bigint not null,
  updated_by text not null,
  constraint prices_once unique (model, part)
);

-- Every change of a price, with the amount before and after it. Null: no saved price.
create table price_changes (
  id ${id},
  model text not null,
  part text not null,
  unit text not null,
  old_amount text,
  old_currency text,
  amount text,
  currency text,
  source text not null,
  changed_time bigint not null,
  changed_by text not null
);
create index price_changes_model on price_changes (model, changed_time);

create table limit_rules (
  id ${id},
  token_id bigint not null default 0,
  user_id bigint not null default 0,
  "group" text not null default '',
  model text not null default '',
  channel_id bigint not null default 0,
  measure text not null,
  amount bigint not null,
  counts_per text not null,
  note text not null default '',
  enabled integer not null,
  created_time bigint not null
);
`,
};
