import type { LogSuggestion } from '@headgate/contract';
import { sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { containsText, parseId } from '../../platform/db/paging.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { secondsPerDay } from './hours.ts';

const maxSuggested = 20;

/** Limited, because clients also request models that do not exist. */
const maxModels = 5000;

/** Number of days in which a user's models are looked up. */
const daysOfModels = 92;

/** Suggestions for the filters of logs. */
export class LogSuggestionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Names of users and tokens with logs, optionally of one user. */
  async owners(column: 'username' | 'token_name', keyword: string, userId?: number): Promise<LogSuggestion[]> {
    const rows = await this.#database
      .selectFrom(currentTable(this.#database, 'log_names'))
      .select(column)
      .distinct()
      .where(column, '<>', '')
      .where((where) => containsText(where, column, keyword))
      .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
      .orderBy(column)
      .limit(maxSuggested)
      .execute();
    return rows.map((row) => named(String(row[column])));
  }

  /**
   * Requested models. Each name in the rollup takes one index lookup; there are only a few logs that are not rolled
   * up yet.
   */
  async models(keyword: string): Promise<LogSuggestion[]> {
    const next = (after: ReturnType<typeof sql>) => sql`(select min(model_name) from site_hours where ${after})`;
    const { rows } = await sql<{ name: string }>`
      with recursive names(name, n) as (
        select ${next(sql`model_name > ''`)}, 1
        union all
        select ${next(sql`model_name > names.name`)}, n + 1 from names
        where names.name is not null and n < ${sql.lit(maxModels)}
      ) select name from names where name is not null
      union select model_name from new_logs where model_name <> '' order by name`.execute(this.#database);
    return rows
      .map(({ name }) => name)
      .filter((name) => name.toLowerCase().includes(keyword.toLowerCase()))
      .slice(0, maxSuggested)
      .map(named);
  }

  async modelsOf(userId: number, keyword: string): Promise<LogSuggestion[]> {
    const rows = await this.#database
      .selectFrom(currentTable(this.#database, 'usage_hours'))
      .select('model_name')
      .distinct()
      .where('user_id', '=', userId)
      .where('hour', '>=', nowInSeconds() - daysOfModels * secondsPerDay)
      .where('model_name', '<>', '')
      .where((where) => containsText(where, 'model_name', keyword))
      .orderBy('model_name')
      .limit(maxSuggested)
      .execute();
    return rows.map(({ model_name }) => named(model_name));
  }

  /** Found by name or id. */
  async channels(keyword: string): Promise<LogSuggestion[]> {
    const id = parseId(keyword);
    const rows = await this.#database
      .selectFrom('channels')
      .select(['id', 'name'])
      .where((where) =>
        where.or([containsText(where, 'name', keyword), ...(id === undefined ? [] : [where('id', '=', id)])]),
      )
      .orderBy('name')
      .orderBy('id')
      .limit(maxSuggested)
      .execute();
    return rows.map((row) => ({ value: String(row.id), name: row.name }));
  }
}

const named = (value: string): LogSuggestion => ({ value, name: '' });
