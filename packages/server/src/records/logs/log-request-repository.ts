import type { Database } from '../../platform/db/database.ts';
import type { LogFilter } from './log-filter.ts';
import { LogNameRepository } from './log-name-repository.ts';
import { overlap, type Span } from './time-span.ts';

/** A log is written when its request has ended; hardly any lasts longer. */
const longestRequestSeconds = 6 * 3600;

/** Clocks are set back now and then. */
const clockSeconds = 60;

/** No index knows request ids: so many logs are looked at for one. */
const mostLookedAt = 100_000;

/** The filter with what leads to its logs added: who alone can have them, and when a request can have ended. */
export async function narrowed(database: Database, asked: LogFilter): Promise<LogFilter> {
  const filter = await new LogNameRepository(database).narrow(asked);
  const { request_id } = filter.exact;
  if (request_id === undefined) return filter;
  return { ...filter, within: await new LogRequestRepository(database, filter).timeOf(request_id) };
}

/** Finds the time of a request by its id. */
class LogRequestRepository {
  readonly #database: Database;
  readonly #filter: LogFilter;

  constructor(database: Database, filter: LogFilter) {
    this.#database = database;
    this.#filter = filter;
  }

  /** From when its id says that it began; an id that says nothing is looked for among the newest logs. */
  async timeOf(requestId: string): Promise<Span> {
    const { within } = this.#filter;
    const began = beginningOf(requestId);
    if (began === undefined) return { from: (await this.#created('desc', within)) ?? within.from, to: within.to };
    const span = overlap(within, { from: began - clockSeconds, to: began + longestRequestSeconds });
    return { from: span.from, to: (await this.#created('asc', span)) ?? span.to };
  }

  /** When the last of as many logs as are looked at was written; undefined when there are fewer. */
  async #created(direction: 'asc' | 'desc', { from, to }: Span): Promise<number | undefined> {
    const { user_id } = this.#filter.exact;
    const logs = this.#database.selectFrom('logs').select('created_at');
    const last = await (user_id === undefined ? logs : logs.where('user_id', '=', user_id))
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .orderBy('created_at', direction)
      .offset(mostLookedAt)
      .limit(1)
      .executeTakeFirst();
    return last?.created_at;
  }
}

/** Seconds since 1970 as the first digits of a UUID of version 7 tell them. */
function beginningOf(requestId: string): number | undefined {
  const digits = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.exec(requestId);
  return digits ? Math.floor(Number.parseInt(`${digits[1]}${digits[2]}`, 16) / 1000) : undefined;
}
