import { logType } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import { LogRepository, type NewLog } from '../../records/logs/log-repository.ts';
import { nonRequestValues } from '../../records/logs/log-values.ts';

/** First second of an hour in the past. */
export const sampleHour = 1_699_999_200;

/** Consumption log of a nonexistent user, with some values replaced. */
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
  ...nonRequestValues,
  ...given,
});

/** Inserts logs as the server does, with defaults from `sampleLog`. */
export async function writeLogs(database: Database, logs: readonly Partial<NewLog>[]): Promise<void> {
  const rows = logs.map(sampleLog);
  await database.transaction().execute((connection) => new LogRepository(connection).insert(rows));
}

/** Seeded pseudorandom numbers from 0 to below 1. */
export function sampleNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
