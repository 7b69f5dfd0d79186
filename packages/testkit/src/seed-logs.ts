import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Gateway } from './start-gateway.ts';

interface Owner {
  readonly id: number;
  readonly username: string;
}

interface SeedOptions {
  readonly owner: Owner;
  readonly count: number;
  /** Seconds since 1970. Each log is one second older than the previous one. */
  readonly newest: number;
  readonly model?: string;
  readonly token?: string;
  /** Charge of the cheapest log; the others cost up to six points more. */
  readonly quota?: number;
  /** Detail of every log, as JSON. */
  readonly detail?: string;
}

/** Writes consumption logs into the database of a running gateway, which rolls them up. */
export function seedLogs(
  { folder }: Pick<Gateway, 'folder'>,
  { owner, count, newest, model = 'gpt-4o', token = 'seeded', quota = 100, detail = '' }: SeedOptions,
): void {
  const database = new DatabaseSync(join(folder, 'headgate.db'), { timeout: 30_000 });
  try {
    // A test database does not have to survive a crash.
    database.exec('pragma synchronous = off');
    database.exec('begin immediate');
    database
      .prepare(
        `with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ? - 1)
        insert into logs (user_id, username, created_at, type, content, token_name, model_name, quota, prompt_tokens,
          completion_tokens, channel, request_id, elapsed_time, is_stream, system_prompt_reset, detail)
        select ?, ?, ? - n, 2, '', ?, ?, ? + n % 7, 40, 15, 1 + n % 5, 'seed-' || n, 100 * (n % 150), n % 2, 0, ?
        from counted order by n desc`,
      )
      .run(count, owner.id, owner.username, newest, token, model, quota, detail);
    database.exec('commit');
  } finally {
    database.close();
  }
}
