import { sql } from 'kysely';
import { currentTable, currentTableSql } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { bucketOf } from '../../records/logs/latency-buckets.ts';

const hour = sql`created_at - created_at % 3600`;
const day = sql`created_at - created_at % 86400`;
const group = sql.ref('group');
const usageKeys = sql`type, user_id, username, token_name, model_name, channel, ${group}`;

const counters = [
  ...(['rows', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens', 'cost'] as const),
];

/** Rollups with their key columns other than the time. */
const tables = {
  usage_hours: { time: 'hour', apart: usageKeys },
  usage_days: { time: 'day', apart: usageKeys },
  site_hours: { time: 'hour', apart: sql`type, channel, model_name, ${group}, reason, status` },
} as const;

type Table = (typeof tables)[keyof typeof tables];
type Rollups = Record<keyof typeof tables, object[]>;

/** Rollups as the app reads them, including logs that are not rolled up yet. */
export const currentRollups = (database: Database): Promise<Rollups> =>
  eachTable(database, (name, table) => added(table, currentTableSql(database, name)));

/** Rollups as they are stored. */
export const storedRollups = (database: Database): Promise<Rollups> =>
  eachTable(database, (name, table) => added(table, sql.table(name)));

/** Rollups computed from the logs. */
export const rollupsOfLogs = (database: Database): Promise<Rollups> =>
  eachTable(database, (_, { time, apart }) => {
    const begin = time === 'day' ? day : hour;
    const sums = counters.map((counter) =>
      counter === 'rows' ? sql`count(*) as rows` : sql`sum(${sql.ref(counter)}) as ${sql.ref(counter)}`,
    );
    return sql`select ${begin} as ${sql.ref(time)}, ${apart}, ${sql.join(sums)} from logs group by ${begin}, ${apart}`;
  });

function added({ time, apart }: Table, from: ReturnType<typeof sql>) {
  const sums = sql.join(counters.map((counter) => sql`sum(${sql.ref(counter)}) as ${sql.ref(counter)}`));
  const key = sql`${sql.ref(time)}, ${apart}`;
  return sql`select ${key}, ${sums} from ${from} group by ${key}`;
}

async function eachTable(
  database: Database,
  query: (name: keyof typeof tables, table: Table) => ReturnType<typeof sql>,
): Promise<Rollups> {
  const read = async (name: keyof typeof tables) => {
    const { rows } = await query(name, tables[name]).execute(database);
    const inOrder = rows.map((row) => JSON.stringify(row)).sort();
    return inOrder.map((text) => JSON.parse(text) as object);
  };
  return {
    usage_hours: await read('usage_hours'),
    usage_days: await read('usage_days'),
    site_hours: await read('site_hours'),
  };
}

/** Latencies as the app reads them, and computed from the logs. */
export async function latencies(database: Database): Promise<{ stored: object[]; ofLogs: object[] }> {
  const stored = await database
    .selectFrom(currentTable(database, 'latency_hours'))
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
