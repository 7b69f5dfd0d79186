import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { isOneOf } from '../../platform/db/is-one-of.ts';
import { upToDate } from '../../platform/db/up-to-date.ts';
import { lastDeletion } from './log-deletion-repository.ts';
import type { LogFilter } from './log-filter.ts';
import { keyOf, type NamedUserDay, type RememberedNames, type UserDay } from './remembered-names.ts';
import { secondsPerDay, secondsPerHour } from './roll-up.ts';
import { inFewSpans, type Span } from './time-span.ts';

/** Sums that are looked up one by one: of more, those of hours are as quick. */
const mostLookedUp = 20_000;

/** What tells these sums apart, and the name of their user, who mostly has but one. */
const known: readonly string[] = ['type', 'user_id', 'username'];

interface DaySum {
  readonly day: number;
  readonly rows: number;
  readonly quota: number;
}

/** Counts the logs of a few users by day: of somebody who is busy all day the hours would be a hundred thousand sums. */
export class UserDayRepository {
  readonly #database: Database;
  readonly #filter: LogFilter;
  readonly #names: RememberedNames;
  readonly #users: readonly number[];

  constructor(database: Database, filter: LogFilter, names: RememberedNames) {
    this.#database = database;
    this.#names = names;
    this.#filter = filter;
    const { user_id } = filter.exact;
    this.#users = user_id === undefined ? (filter.users ?? []) : [user_id];
  }

  /** The rows and the quota of each whole day of a time that has something, newest first; undefined: these sums cannot tell. */
  async days(span: Span): Promise<readonly DaySum[] | undefined> {
    const { exact, containing = {}, about } = this.#filter;
    const columns = [...Object.keys(exact), ...Object.keys(containing)];
    const isKnown = about === undefined && columns.every((column) => known.includes(column) && column in exact);
    const length = (span.to + 1 - span.from) / secondsPerDay;
    if (!isKnown || this.#users.length === 0 || length === 0) return undefined;
    const types = exact.type === undefined ? await this.#types(span) : [exact.type];
    if (types.length === 0) return undefined;
    const most = mostLookedUp / (types.length * this.#users.length);
    // One log with a time of long ago, or to come, makes a time long that has few days.
    const asked = length <= most ? everyDay(span) : await this.#daysWithLogs(span);
    if (asked.length > most) return undefined;
    const days = await this.#ofUsers(asked, types);
    return addedUp((await this.#hasOtherName()) ? await this.#ofName(days, types) : days);
  }

  #ofUsers(days: readonly number[], types: readonly number[]): Promise<UserDay[]> {
    return this.#database
      .selectFrom(upToDate(this.#database, 'user_days'))
      .select(['day', 'type', 'user_id'])
      .select(({ fn }) => [
        fn.sum<number>('rows').as('rows'),
        fn.sum<number>('quota').as('quota'),
        fn.sum<number>('prompt_tokens').as('prompt_tokens'),
        fn.sum<number>('completion_tokens').as('completion_tokens'),
      ])
      .where(isOneOf(this.#database, 'day', days))
      .where('type', 'in', types)
      .where('user_id', 'in', this.#users)
      .groupBy(['day', 'type', 'user_id'])
      .execute();
  }

  /** What of these days bears the name that is asked for. */
  async #ofName(days: readonly UserDay[], types: readonly number[]): Promise<NamedUserDay[]> {
    const deletion = await lastDeletion(this.#database);
    // Taken at once: while the others are read, somebody else may have it forgotten, or it may have to make room for them.
    const remembered = new Map(days.map((day) => [keyOf(day), this.#names.of(day, deletion)]));
    const unknown = days.filter((day) => remembered.get(keyOf(day)) === undefined);
    const read = Map.groupBy(await this.#byName(unknown, types), keyOf);
    for (const day of unknown) this.#names.keep(day, { deletion, names: read.get(keyOf(day)) ?? [] });
    const named = days.flatMap((day) => read.get(keyOf(day)) ?? remembered.get(keyOf(day)) ?? []);
    return named.filter(({ username }) => username === this.#filter.exact.username);
  }

  /** By the finest sums. */
  async #byName(days: readonly UserDay[], types: readonly number[]): Promise<NamedUserDay[]> {
    const spans = inFewSpans(days.flatMap(({ day }) => hoursOf(day)));
    if (spans.length === 0) return [];
    return this.#database
      .selectFrom(upToDate(this.#database, 'usage_hours'))
      .select(['type', 'user_id', 'username', dayOfHour.as('day')])
      .select(({ fn }) => [
        fn.sum<number>('rows').as('rows'),
        fn.sum<number>('quota').as('quota'),
        fn.sum<number>('prompt_tokens').as('prompt_tokens'),
        fn.sum<number>('completion_tokens').as('completion_tokens'),
      ])
      .where((where) => where.or(spans.map(({ from, to }) => where.between('hour', from, to))))
      .where('type', 'in', types)
      .where('user_id', 'in', this.#users)
      .groupBy(['type', 'user_id', 'username', dayOfHour])
      .execute();
  }

  /** Each is looked up by all of its key: types that nobody knows count too. */
  async #types({ from, to }: Span): Promise<readonly number[]> {
    const rows = await this.#database
      .selectFrom(upToDate(this.#database, 'log_hours'))
      .select('type')
      .distinct()
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .execute();
    return rows.map(({ type }) => type);
  }

  /** Of anybody. */
  async #daysWithLogs({ from, to }: Span): Promise<readonly number[]> {
    const rows = await this.#database
      .selectFrom(upToDate(this.#database, 'log_hours'))
      .select(dayOfHour.as('day'))
      .distinct()
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .execute();
    return rows.map(({ day }) => day);
  }

  /** Whether one of the users has logs under a name that is not asked for. */
  async #hasOtherName(): Promise<boolean> {
    const { username } = this.#filter.exact;
    if (username === undefined) return false;
    const other = await this.#database
      .selectFrom(upToDate(this.#database, 'log_owners'))
      .select('user_id')
      .where('user_id', 'in', this.#users)
      .where('username', '<>', username)
      .limit(1)
      .executeTakeFirst();
    return other !== undefined;
  }
}

const dayOfHour = sql<number>`hour - hour % ${sql.lit(secondsPerDay)}`;

/** The beginnings of the days of a time that is whole days. */
const everyDay = ({ from, to }: Span): number[] =>
  Array.from({ length: (to + 1 - from) / secondsPerDay }, (_, index) => from + index * secondsPerDay);

const hoursOf = (day: number): number[] =>
  Array.from({ length: secondsPerDay / secondsPerHour }, (_, index) => day + index * secondsPerHour);

/** The sums of each day that has something, newest first. */
function addedUp(days: readonly UserDay[]): DaySum[] {
  const sums = [...Map.groupBy(days, ({ day }) => day)].map(([day, parts]) => ({
    day,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    quota: parts.reduce((sum, { quota }) => sum + quota, 0),
  }));
  return sums.sort((one, other) => other.day - one.day);
}
