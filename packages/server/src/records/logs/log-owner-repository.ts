import { inParts, runBuilt } from '../../platform/db/built-statement.ts';
import type { Database } from '../../platform/db/database.ts';
import { isPostgres } from '../../platform/db/is-postgres.ts';
import { contains } from '../../platform/db/paging.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { upToDate } from '../../platform/db/up-to-date.ts';
import { type LogFilter, mostOwners } from './log-filter.ts';

interface Owned {
  readonly username: string;
  readonly token_name: string;
  readonly user_id: number;
}

/** Remembers which users have logs under which names, so that logs can be found by their user. */
export class LogOwnerRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within({ database }: Pick<Transaction, 'database'>): LogOwnerRepository {
    return new LogOwnerRepository(database);
  }

  /** Adds owners in the order of their keys: transactions that write the same rows then never wait in a circle. */
  async add(logs: readonly Owned[]): Promise<void> {
    // There they are known from the sums, and written when these are folded.
    if (isPostgres(this.#database)) return;
    const owners = new Map<string, Owned>();
    for (const { username, token_name, user_id } of logs) {
      const name = `${username}\0${token_name}\0${user_id}`;
      if (!owners.has(name)) owners.set(name, { username, token_name, user_id });
    }
    const inOrder = [...owners].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, owner]) => owner);
    for (const part of inParts(inOrder)) {
      const values = part.flatMap((owner) => Object.values(owner));
      await runBuilt(this.#database, `log_owners ${part.length}`, values, () =>
        this.#database
          .insertInto('log_owners')
          .values(part)
          .onConflict((conflict) => conflict.doNothing()),
      );
    }
  }

  /** The filter with the users added who alone can have such logs, when they are few. */
  async narrow(filter: LogFilter): Promise<LogFilter> {
    const { user_id, username, token_name } = filter.exact;
    const parts = Object.entries(filter.containing ?? {}).filter(([name]) => name !== 'model_name');
    const isAsked = username !== undefined || token_name !== undefined || parts.length > 0;
    if (user_id !== undefined || !isAsked) return filter;
    const owners = await this.#database
      .selectFrom(upToDate(this.#database, 'log_owners'))
      .select('user_id')
      .distinct()
      .where((where) =>
        where.and([
          where.and({ ...(username !== undefined && { username }), ...(token_name !== undefined && { token_name }) }),
          ...parts.map(([name, text]) => contains(where, name as 'username' | 'token_name', text)),
        ]),
      )
      .limit(mostOwners + 1)
      .execute();
    return owners.length > mostOwners ? filter : { ...filter, users: owners.map((owner) => owner.user_id) };
  }
}
