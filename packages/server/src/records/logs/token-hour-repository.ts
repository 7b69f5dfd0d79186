import type { Database } from '../../platform/db/database.ts';
import { sharedNameId, tokenHourStates } from '../../platform/db/token-hours.ts';
import { upToDate } from '../../platform/db/up-to-date.ts';
import type { LogFilter } from './log-filter.ts';
import { inFewSpans, type Span } from './time-span.ts';

interface HourSum {
  readonly hour: number;
  readonly rows: number;
  readonly quota: number;
}

/** What tells these sums apart. */
const known: readonly string[] = ['token_name', 'type'];

/** Reads sums by token name: of a name that everybody has, the finest sums would be all there are. */
export class TokenHourRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The rows and the quota of each hour that has something, newest first; undefined where these sums cannot tell. */
  async hours({ exact, containing = {}, about, users }: LogFilter, span: Span): Promise<HourSum[] | undefined> {
    const { token_name: name, type } = exact;
    const isKnown = Object.keys(exact).every((column) => known.includes(column));
    const isMore = Object.keys(containing).length > 0 || about !== undefined || users !== undefined;
    const id = name === undefined || !isKnown || isMore ? undefined : await sharedNameId(this.#database, name);
    if (name === undefined || id === undefined) return undefined;
    const states = await tokenHourStates(this.#database, span);
    const holds = new Set(states.filter(({ names }) => names !== null && names >= id).map(({ hour }) => hour));
    const others = inFewSpans(states.filter(({ hour }) => !holds.has(hour)).map(({ hour }) => hour));
    const stored = await this.#stored(name, type, span);
    // What an hour once had stays stored until it is packed anew, or for good when it has nothing left.
    const found = new Map(stored.filter(({ hour }) => holds.has(hour)).map((sum) => [sum.hour, sum]));
    for (const sum of await this.#finest(name, type, others)) found.set(sum.hour, sum);
    return [...found.values()].sort((one, other) => other.hour - one.hour);
  }

  #stored(name: string, type: number | undefined, { from, to }: Span): Promise<HourSum[]> {
    return this.#database
      .selectFrom('token_hours')
      .select('hour')
      .select(({ fn }) => [fn.sum<number>('rows').as('rows'), fn.sum<number>('quota').as('quota')])
      .where('token_name', '=', name)
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .$if(type !== undefined, (query) => query.where('type', '=', type ?? 0))
      .groupBy('hour')
      .execute();
  }

  async #finest(name: string, type: number | undefined, spans: readonly Span[]): Promise<HourSum[]> {
    if (spans.length === 0) return [];
    return this.#database
      .selectFrom(upToDate(this.#database, 'usage_hours'))
      .select('hour')
      .select(({ fn }) => [fn.sum<number>('rows').as('rows'), fn.sum<number>('quota').as('quota')])
      .where('token_name', '=', name)
      .where((where) => where.or(spans.map(({ from, to }) => where.between('hour', from, to))))
      .$if(type !== undefined, (query) => query.where('type', '=', type ?? 0))
      .groupBy('hour')
      .execute();
  }
}
