import { upToDate } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { containsText } from '../../platform/db/paging.ts';
import { type LogFilter, maxNarrowedOwners } from './log-filter.ts';

/** Finds the users with logs under a username or token name, because logs are indexed by user id and not by name. */
export class LogNameRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Restricts a filter by name to the users with that name, if they are few. */
  async narrow(filter: LogFilter): Promise<LogFilter> {
    const { user_id, username, token_name } = filter.exact;
    const { username: partOfUsername, token_name: partOfTokenName } = filter.containing ?? {};
    const exact = { ...(username !== undefined && { username }), ...(token_name !== undefined && { token_name }) };
    const parts = [
      ...(partOfUsername === undefined ? [] : [['username', partOfUsername] as const]),
      ...(partOfTokenName === undefined ? [] : [['token_name', partOfTokenName] as const]),
    ];
    if (user_id !== undefined || Object.keys(exact).length + parts.length === 0) return filter;
    const owners = await this.#database
      .selectFrom(upToDate(this.#database, 'log_names'))
      .select('user_id')
      .distinct()
      .where((where) =>
        where.and([where.and(exact), ...parts.map(([column, text]) => containsText(where, column, text))]),
      )
      .limit(maxNarrowedOwners + 1)
      .execute();
    return owners.length > maxNarrowedOwners ? filter : { ...filter, users: owners.map((owner) => owner.user_id) };
  }
}
