import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { refreshOwnerView } from './changes.ts';

const counterNames = 'quota, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, cost';

const tagHours = (clustered: string) => `create table tag_hours (
  hour bigint not null,
  tag text not null,
  tag_value text not null,
  user_id bigint not null,
  token_name text not null,
  model_name text not null,
  channel bigint not null,
  "group" text not null,
  type bigint not null,
  username text not null,
  rows bigint not null,
  quota bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  cost bigint not null,
  constraint tag_hours_primary primary key (tag, hour, tag_value, user_id, token_name, model_name, channel, "group", type, username)
) ${clustered}`;

/**
 * Extracts the tags from the detail of a log. In valid JSON, the quoted member name occurs only there. PostgreSQL
 * parses this last member alone, because the rest may contain escapes that it cannot convert to text.
 */
const dialects = {
  sqlite: {
    clustered: 'without rowid',
    hasTags: `instr(detail, '"request_tags":{') > 0`,
    tags: (text: string) => `join json_each(${text}) as pair`,
    member: `json_extract(detail, '$.request_tags')`,
    lastId: '',
  },
  postgres: {
    clustered: '',
    hasTags: `position('"request_tags":{' in detail) > 0`,
    tags: (text: string) => `cross join lateral json_each_text(${text}) as pair`,
    member: `left(substring(detail from position('"request_tags":{' in detail) + 15), -1)::json`,
    lastId: ' and id <= (select last_value from logs_id_seq)',
  },
} as const;

/** Views of the logs with one row for each tag: of all logs, and of those that are not rolled up yet. */
function views({ hasTags, tags, member, lastId }: (typeof dialects)[keyof typeof dialects]): readonly string[] {
  const none = member.endsWith('::json') ? `'{}'::json` : `'{}'`;
  // The CASE keeps databases from parsing the detail of other logs as JSON.
  const guarded = `case when ${hasTags} then ${member} else ${none} end`;
  const isNew = `id > coalesce((select cast(value as bigint) from meta where key = 'rolled_up_log'), 0)${lastId}`;
  return [
    `create view tagged_logs as
      select logs.id as id, created_at, created_at - created_at % 3600 as hour, pair.key as tag, pair.value as tag_value, user_id,
        token_name, model_name, channel, "group", logs.type as type, username, 1 as rows, ${counterNames}
      from logs ${tags(guarded)} where logs.type in (2, 5) and ${hasTags}`,
    `create view new_tagged_logs as select * from tagged_logs where ${isNew}`,
  ];
}

/** Fixed tags of API tokens, and usage by the tags of requests. */
export const requestTags: Migration = {
  async up(database) {
    const dialect = isPostgres(database) ? dialects.postgres : dialects.sqlite;
    await sql`alter table tokens add column fixed_tags text not null default ''`.execute(database);
    await refreshOwnerView(database, 'token');
    await sql.raw(tagHours(dialect.clustered)).execute(database);
    for (const view of views(dialect)) await sql.raw(view).execute(database);
  },
};
