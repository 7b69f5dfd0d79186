import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';

const table = (clustered: string) => `create table served_latency_hours (
  hour bigint not null,
  model_name text not null,
  channel bigint not null,
  bucket bigint not null,
  elapsed bigint not null,
  first_byte bigint not null,
  constraint served_latency_hours_primary primary key (model_name, channel, hour, bucket)
) ${clustered}`;

/** As in the view of all latencies: four buckets for each doubling. */
const latenciesOf = (column: string, counts: string) => `select id, created_at, created_at - created_at % 3600 as hour,
  model_name, channel, cast(floor(4 * ln(${column}) / ln(2) + 0.000001) as bigint) as bucket, ${counts}
  from logs where type = 2 and ${column} > 0`;

const columns = 'hour, model_name, channel, bucket, elapsed, first_byte';

/** Durations by model and channel. Logs that are already rolled up are not counted again. */
export const servedLatencies: Migration = {
  async up(database) {
    const [clustered, lastId] = isPostgres(database)
      ? ['', ' and id <= (select last_value from logs_id_seq)']
      : ['without rowid', ''];
    const isNew = `id > coalesce((select cast(value as bigint) from meta where key = 'rolled_up_log'), 0)${lastId}`;
    await sql.raw(table(clustered)).execute(database);
    await sql
      .raw(`create view served_latencies as ${latenciesOf('elapsed_time', '1 as elapsed, 0 as first_byte')}
        union all ${latenciesOf('first_byte_time', '0 as elapsed, 1 as first_byte')}`)
      .execute(database);
    await sql
      .raw(`create view served_latency_hours_now as select ${columns} from served_latency_hours
        union all select ${columns} from served_latencies where ${isNew}`)
      .execute(database);
  },
};
