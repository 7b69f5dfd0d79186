import type { Database } from '../../platform/db/database.ts';
import { containsText } from '../../platform/db/paging.ts';
import type { LogRow } from '../../platform/db/rows.ts';
import type { LogListRepository } from './log-list-repository.ts';

const maxFound = 100;

/** Number of newest logs whose text is searched; substrings are not indexed. */
const newestSearched = 20_000;

const allTime = { from: 0, to: Number.MAX_SAFE_INTEGER };

export class LogSearchRepository {
  readonly #database: Database;
  readonly #lists: LogListRepository;

  constructor(database: Database, lists: LogListRepository) {
    this.#database = database;
    this.#lists = lists;
  }

  /** Newest logs with this type or this text in their content, optionally of one user. */
  async latest(keyword: string, userId?: number): Promise<LogRow[]> {
    const ofType = /^[1-9]\d{0,8}$/.test(keyword) ? await this.#ofType(Number(keyword), userId) : [];
    const found = new Map([...ofType, ...(await this.#withText(keyword, userId))].map((row) => [row.id, row]));
    return [...found.values()]
      .sort((one, other) => other.created_at - one.created_at || other.id - one.id)
      .slice(0, maxFound);
  }

  async #ofType(type: number, userId: number | undefined): Promise<LogRow[]> {
    const exact = userId === undefined ? { type } : { type, user_id: userId };
    const { rows } = await this.#lists.page({ exact, within: allTime }, { p: 0, size: maxFound });
    return rows;
  }

  async #withText(keyword: string, userId: number | undefined): Promise<LogRow[]> {
    const logs = this.#newestFirst(userId);
    const last = await logs.select(['created_at', 'id']).offset(newestSearched).limit(1).executeTakeFirst();
    return logs
      .selectAll()
      .where((where) => containsText(where, 'content', keyword))
      .$if(last !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'id'), '>', tuple(last?.created_at ?? 0, last?.id ?? 0)),
        ),
      )
      .limit(maxFound)
      .execute();
  }

  #newestFirst(userId: number | undefined) {
    const logs = this.#database.selectFrom('logs').orderBy('created_at', 'desc').orderBy('id', 'desc');
    return userId === undefined ? logs : logs.where('user_id', '=', userId);
  }
}
