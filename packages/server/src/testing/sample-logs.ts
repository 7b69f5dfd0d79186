import { logType } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { LogRepository, type NewLog } from '../logs/log-repository.ts';

/** The first second of an hour, long ago. */
export const sampleHour = 1_699_999_200;

/** A consumption of nobody's, with what is given in place. */
export const sampleLog = (given: Partial<NewLog> = {}): NewLog => ({
  user_id: 999,
  username: 'nobody',
  created_at: sampleHour,
  type: logType.consumption,
  content: '',
  token_name: '',
  model_name: '',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  channel: 0,
  request_id: '',
  elapsed_time: 0,
  is_stream: 0,
  system_prompt_reset: 0,
  detail: '',
  ended_by: '',
  ...given,
});

/** Writes logs as the product does, sums included. */
export async function writeLogs(database: Database, logs: readonly Partial<NewLog>[]): Promise<void> {
  const rows = logs.map(sampleLog);
  await database.transaction().execute((connection) => new LogRepository(connection).insert(rows));
}

/** Numbers from 0 to below 1 that look random and are the same every time. */
export function sampleNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const rollUps = {
  log_hours: { apart: sql`type`, counted: sql`true` },
  model_hours: { apart: sql`type, model_name`, counted: sql`model_name <> ''` },
  channel_hours: { apart: sql`type, channel`, counted: sql`channel <> 0` },
  usage_hours: { apart: sql`type, user_id, username, token_name, model_name, channel`, counted: sql`true` },
} as const;

type Sums = Record<keyof typeof rollUps, object[]>;

/** Every hourly sum as it is stored. */
export const storedSums = (database: Database): Promise<Sums> =>
  eachTable(
    (table, { apart }) =>
      sql`select hour, ${apart}, rows, quota, prompt_tokens, completion_tokens from ${sql.table(table)}`,
    database,
  );

/** Every hourly sum as it follows from the logs. */
export const sumsOfLogs = (database: Database): Promise<Sums> =>
  eachTable(
    (_, { apart, counted }) => sql`
      select created_at - created_at % 3600 as hour, ${apart}, count(*) as rows, sum(quota) as quota,
        sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens
      from logs where ${counted} group by created_at - created_at % 3600, ${apart}`,
    database,
  );

async function eachTable(
  query: (table: string, rollUp: (typeof rollUps)[keyof typeof rollUps]) => ReturnType<typeof sql>,
  database: Database,
): Promise<Sums> {
  const read = async ([table, rollUp]: [string, (typeof rollUps)[keyof typeof rollUps]]) => {
    const { rows } = await query(table, rollUp).execute(database);
    const inOrder = rows.map((row) => JSON.stringify(row)).sort();
    return [table, inOrder.map((text) => JSON.parse(text) as object)] as const;
  };
  const tables: (readonly [string, object[]])[] = [];
  for (const entry of Object.entries(rollUps)) tables.push(await read(entry));
  return Object.fromEntries(tables) as Sums;
}
