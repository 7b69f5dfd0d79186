import type { SchemaPart } from './sql-syntax.ts';

/** Options, and objects managed by a configuration file. */
export const settings: SchemaPart = {
  tables: () => `
create table options (
  key text primary key,
  value text not null
);

create table managed_things (
  kind text not null,
  name text not null,
  row_id bigint not null default 0,
  in_file integer not null,
  constraint managed_things_key primary key (kind, name)
);
`,
};
