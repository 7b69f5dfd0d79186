import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { emptyText } from './columns.ts';

/** The tables of hourly sums, with the columns beside hour and type that keep their rows apart. */
const sums = {
  log_hours: { apart: [], counted: sql`true` },
  model_hours: { apart: ['model_name'], counted: sql`model_name <> ''` },
  channel_hours: { apart: ['channel'], counted: sql`channel <> 0` },
  usage_hours: { apart: ['user_id', 'username', 'token_name', 'model_name', 'channel'], counted: sql`true` },
} as const;

const counters = ['rows', 'quota', 'prompt_tokens', 'completion_tokens'] as const;

/** What cost points was written down as a failure when it did not come to its end: it is consumption, with a mark. */
export const logEnders: Migration = {
  async up(database) {
    await database.schema.alterTable('logs').addColumn('ended_by', 'text', emptyText).execute();
    // By way of the sums: where no such request ever was, a large log is not read.
    await sql`create temporary table charged_failures as
      select logs.id, logs.created_at - logs.created_at % 3600 as hour, logs.user_id, logs.username, logs.token_name,
        logs.model_name, logs.channel, logs.quota, logs.prompt_tokens, logs.completion_tokens
      from log_hours cross join logs
      where log_hours.type = 5 and log_hours.quota > 0
        and logs.created_at >= log_hours.hour and logs.created_at < log_hours.hour + 3600
        and logs.type = 5 and logs.quota > 0`.execute(database);
    await sql`update logs set type = 2, ended_by = case content
        when 'The client left' then 'client'
        when 'The quota is used up; the stream ends here' then 'quota'
        else 'upstream' end
      where id in (select id from charged_failures)`.execute(database);
    for (const table of Object.keys(sums) as (keyof typeof sums)[]) {
      await addSums(database, table, { type: 2, sign: 1 });
      await addSums(database, table, { type: 5, sign: -1 });
      await sql`delete from ${sql.table(table)} where type = 5 and ${sql.ref('rows')} = 0`.execute(database);
    }
    await sql`drop table charged_failures`.execute(database);
  },
};

async function addSums(
  database: Kysely<unknown>,
  table: keyof typeof sums,
  { type, sign }: { readonly type: number; readonly sign: 1 | -1 },
): Promise<void> {
  const { apart, counted } = sums[table];
  const refs = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));
  const added = counters.map((counter) =>
    counter === 'rows' ? sql`${sql.lit(sign)} * count(*)` : sql`${sql.lit(sign)} * sum(${sql.ref(counter)})`,
  );
  const changes = counters.map(
    (counter) => sql`${sql.ref(counter)} = ${sql.ref(`${table}.${counter}`)} + ${sql.ref(`excluded.${counter}`)}`,
  );
  await sql`insert into ${sql.table(table)} (${refs(['hour', 'type', ...apart, ...counters])})
    select ${sql.join([sql.ref('hour'), sql.lit(type), ...apart.map((column) => sql.ref(column)), ...added])}
    from charged_failures where ${counted} group by ${refs(['hour', ...apart])}
    on conflict (${refs(['hour', 'type', ...apart])}) do update set ${sql.join(changes)}`.execute(database);
}
