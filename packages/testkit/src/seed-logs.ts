import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Gateway } from './start-gateway.ts';

interface Owner {
  readonly id: number;
  readonly username: string;
}

interface Seed {
  readonly owner: Owner;
  readonly count: number;
  /** Seconds since 1970. Each log is one second older than the previous one. */
  readonly newest: number;
  readonly model?: string;
  readonly token?: string;
}

const sums = {
  log_hours: { columns: 'type', counted: 'true' },
  model_hours: { columns: 'type, model_name, "group"', counted: "model_name <> ''" },
  channel_hours: { columns: 'type, channel, model_name', counted: 'channel <> 0' },
  usage_hours: { columns: 'type, user_id, username, token_name, model_name, channel, "group"', counted: 'true' },
} as const;

/** Writes consumption logs and their hourly rollups into the database of a running gateway. */
export function seedLogs(
  { folder }: Pick<Gateway, 'folder'>,
  { owner, count, newest, model = 'gpt-4o', token = 'seeded' }: Seed,
): void {
  const database = new DatabaseSync(join(folder, 'headgate.db'), { timeout: 30_000 });
  try {
    // A test database does not have to survive a crash.
    database.exec('pragma synchronous = off');
    database.exec('begin immediate');
    const { last } = database.prepare('select coalesce(max(id), 0) as last from logs').get() as { last: number };
    database
      .prepare(
        `with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ? - 1)
        insert into logs (user_id, username, created_at, type, content, token_name, model_name, quota, prompt_tokens,
          completion_tokens, channel, request_id, elapsed_time, is_stream, system_prompt_reset, detail)
        select ?, ?, ? - n, 2, '', ?, ?, 100 + n % 7, 40, 15, 1 + n % 5, 'seed-' || n, 100 * (n % 150), n % 2, 0, ''
        from counted order by n desc`,
      )
      .run(count, owner.id, owner.username, newest, token, model);
    for (const [table, { columns, counted }] of Object.entries(sums))
      database.exec(
        `insert into ${table} (hour, ${columns}, rows, quota, prompt_tokens, completion_tokens, cached_tokens,
          cache_write_tokens, cost)
        select created_at - created_at % 3600, ${columns}, count(*), sum(quota), sum(prompt_tokens),
          sum(completion_tokens), 0, 0, 0
        from logs where id > ${last} and ${counted} group by created_at - created_at % 3600, ${columns}
        on conflict do update set rows = rows + excluded.rows, quota = quota + excluded.quota,
          prompt_tokens = prompt_tokens + excluded.prompt_tokens,
          completion_tokens = completion_tokens + excluded.completion_tokens`,
      );
    database.exec(
      `insert into user_days (day, type, user_id, rows, quota, prompt_tokens, completion_tokens, cached_tokens,
        cache_write_tokens, cost)
      select created_at - created_at % 86400, type, user_id, count(*), sum(quota), sum(prompt_tokens),
        sum(completion_tokens), 0, 0, 0
      from logs where id > ${last} group by created_at - created_at % 86400, type, user_id
      on conflict do update set rows = rows + excluded.rows, quota = quota + excluded.quota,
        prompt_tokens = prompt_tokens + excluded.prompt_tokens,
        completion_tokens = completion_tokens + excluded.completion_tokens`,
    );
    database
      .prepare('insert into log_owners (username, token_name, user_id) values (?, ?, ?) on conflict do nothing')
      .run(owner.username, token, owner.id);
    database.exec('commit');
  } finally {
    database.close();
  }
}
