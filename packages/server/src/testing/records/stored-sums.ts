import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { upToDate, upToDateTable } from '../../platform/db/up-to-date.ts';
import { bucketOf } from '../../records/logs/latency-buckets.ts';

const hour = sql`created_at - created_at % 3600`;
const day = sql`created_at - created_at % 86400`;
const group = sql.ref('group');

const counters = [
  ...(['rows', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens', 'cost'] as const),
];

/** The tables of sums: what keeps their rows apart beside the time, which logs they count, and what they add up. */
const tables = {
  log_hours: { time: 'hour', apart: sql`type`, counted: sql`true`, counters },
  model_hours: {
    time: 'hour',
    apart: sql`type, model_name, ${group}`,
    counted: sql`(model_name <> '' or ${group} <> '')`,
    counters,
  },
  channel_hours: { time: 'hour', apart: sql`type, channel, model_name`, counted: sql`channel <> 0`, counters },
  user_days: { time: 'day', apart: sql`type, user_id`, counted: sql`true`, counters },
  usage_hours: {
    time: 'hour',
    apart: sql`type, user_id, username, token_name, model_name, channel, ${group}`,
    counted: sql`true`,
    counters,
  },
  failure_hours: {
    time: 'hour',
    apart: sql`channel, model_name, reason, status`,
    counted: sql`type = 5`,
    counters: counters.slice(0, 1),
  },
} as const;

type Table = (typeof tables)[keyof typeof tables];
type Sums = Record<keyof typeof tables, object[]>;

/** Every sum as it is stored. */
export const storedSums = (database: Database): Promise<Sums> =>
  eachTable(database, (name, { time, apart, counters: summed }) => {
    const columns = sql.join(summed.map((counter) => sql`sum(${sql.ref(counter)}) as ${sql.ref(counter)}`));
    const key = sql`${sql.ref(time)}, ${apart}`;
    return sql`select ${key}, ${columns} from ${upToDateTable(database, name)} group by ${key}`;
  });

/** Every sum as it follows from the logs. */
export const sumsOfLogs = (database: Database): Promise<Sums> =>
  eachTable(database, (_, { time, apart, counted, counters: summed }) => {
    const begin = time === 'day' ? day : hour;
    return sql`select ${begin} as ${sql.ref(time)}, ${apart}, ${sums(summed)} from logs
      where ${counted} group by ${begin}, ${apart}`;
  });

const sums = (summed: readonly string[]) =>
  sql.join(
    summed.map((counter) =>
      counter === 'rows' ? sql`count(*) as rows` : sql`sum(${sql.ref(counter)}) as ${sql.ref(counter)}`,
    ),
  );

async function eachTable(
  database: Database,
  query: (name: keyof typeof tables, table: Table) => ReturnType<typeof sql>,
): Promise<Sums> {
  const found: (readonly [string, object[]])[] = [];
  for (const [name, table] of Object.entries(tables)) {
    const { rows } = await query(name as keyof typeof tables, table).execute(database);
    const inOrder = rows.map((row) => JSON.stringify(row)).sort();
    found.push([name, inOrder.map((text) => JSON.parse(text) as object)]);
  }
  return Object.fromEntries(found) as Sums;
}

/** How many requests took how long, as it is stored and as it follows from the logs. */
export async function latencies(database: Database): Promise<{ stored: object[]; ofLogs: object[] }> {
  const stored = await database
    .selectFrom(upToDate(database, 'latency_hours'))
    .select(({ fn }) => ['hour', 'bucket', fn.sum<number>('elapsed').as('elapsed')])
    .select(({ fn }) => fn.sum<number>('first_byte').as('first_byte'))
    .groupBy(['hour', 'bucket'])
    .orderBy('hour')
    .orderBy('bucket')
    .execute();
  const logs = await database.selectFrom('logs').selectAll().where('type', '=', 2).execute();
  const counts = new Map<string, { hour: number; bucket: number; elapsed: number; first_byte: number }>();
  for (const { created_at, elapsed_time, first_byte_time } of logs) {
    for (const [counter, ms] of [['elapsed', elapsed_time] as const, ['first_byte', first_byte_time] as const]) {
      if (ms === 0) continue;
      const [begin, bucket] = [created_at - (created_at % 3600), bucketOf(ms)];
      const count = counts.get(`${begin} ${bucket}`) ?? { hour: begin, bucket, elapsed: 0, first_byte: 0 };
      count[counter] += 1;
      counts.set(`${begin} ${bucket}`, count);
    }
  }
  const ofLogs = [...counts.values()].sort((one, other) => one.hour - other.hour || one.bucket - other.bucket);
  return { stored, ofLogs };
}
