import type { SearchedText } from '@headgate/contract';
import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { contains } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { upToDate } from '../../platform/db/up-to-date.ts';
import { isAbout } from './log-about-repository.ts';
import { type LogFilter, rollUpFor } from './log-filter.ts';
import { hoursNeeded, type Stretch } from './log-page.ts';
import { RememberedNames } from './remembered-names.ts';
import { secondsPerDay, secondsPerHour } from './roll-up.ts';
import { cutAtDays, cutAtHours, isEmpty, overlap, type Span, slices } from './time-span.ts';
import { TokenHourRepository } from './token-hour-repository.ts';
import { UserDayRepository } from './user-day-repository.ts';

/** How many sums are asked for to find where a page begins; only there the hours are looked at one by one. */
const neighbourhoods = 32;

/** What a filter asks of a log or of a sum, save for its time. */
export function matching(
  where: ExpressionBuilder<Schema, 'logs' | 'usage_hours'>,
  { exact, containing = {}, users, about }: LogFilter,
) {
  const texts = Object.entries(containing) as [SearchedText, string][];
  return where.and([
    where.and(exact),
    ...texts.map(([column, text]) => contains(where, column, text)),
    ...(about === undefined ? [] : [isAbout(where, about)]),
    ...(users === undefined ? [] : [users.length === 0 ? where.lit(false) : where('user_id', 'in', users)]),
  ]);
}

/** Counts the logs a filter finds: whole hours by their sums, what is left at the ends by the rows. */
export class LogCountRepository {
  readonly #database: Database;
  readonly #filter: LogFilter;
  readonly #names: RememberedNames;
  /** The tables of sums differ in their keys alone, so one is read like another; undefined: the rows are counted. */
  readonly #table: 'usage_hours' | undefined;

  constructor(database: Database, filter: LogFilter, names = new RememberedNames()) {
    this.#database = database;
    this.#filter = filter;
    this.#names = names;
    this.#table = rollUpFor(filter) as 'usage_hours' | undefined;
  }

  /** The time in which there may be something to find, the newest stretch first. */
  async stretches(): Promise<Stretch[]> {
    const span = await this.#span();
    if (this.#table === undefined) {
      const [rows = 0] = isEmpty(span) ? [] : await this.#ask([this.#count(span)]);
      return [{ ...span, rows, isSummed: false }];
    }
    const { newest, whole, oldest } = cutAtHours(span);
    const summed =
      (await this.#byTokenName(whole)) ??
      (await this.#byDay(whole)) ??
      (await this.#summed(slices(whole, neighbourhoods)));
    const [first, last] = [newest, oldest].map((part) => (isEmpty(part) ? [] : [part]));
    const counts = await this.#ask([...(first ?? []), ...(last ?? [])].map((part) => this.#count(part)));
    const counted = (parts: readonly Span[] | undefined) =>
      (parts ?? []).map((part) => ({ ...part, rows: counts.shift() ?? 0, isSummed: false }));
    return [...counted(first), ...summed, ...counted(last)];
  }

  /** Whole hours, the newest first; undefined where the sums by token name cannot tell. As fine as any: no look at the hours follows. */
  async #byTokenName(span: Span): Promise<Stretch[] | undefined> {
    const hours = await this.#tokenHours(span);
    return hours?.map(({ hour, rows }) => ({ from: hour, to: hour + secondsPerHour - 1, rows, isSummed: false }));
  }

  #tokenHours(hours: Span) {
    const isAsked = this.#table === 'usage_hours' && !isEmpty(hours);
    return isAsked ? new TokenHourRepository(this.#database).hours(this.#filter, hours) : undefined;
  }

  /** Whole hours of a few users, the newest first; undefined where the sums of their days cannot tell. */
  async #byDay(hours: Span): Promise<Stretch[] | undefined> {
    const { newest, whole, oldest } = cutAtDays(hours);
    const days = isEmpty(whole) ? undefined : await this.#userDays(whole);
    if (!days) return undefined;
    const ofHours = (part: Span) => this.#summed(isEmpty(part) ? [] : [part]);
    return [
      ...(await ofHours(newest)),
      ...days.map(({ day, rows }) => ({ from: day, to: day + secondsPerDay - 1, rows, isSummed: true })),
      ...(await ofHours(oldest)),
    ];
  }

  #userDays(days: Span) {
    // Only where there would be more to read.
    if (this.#table !== 'usage_hours') return undefined;
    return new UserDayRepository(this.#database, this.#filter, this.#names).days(days);
  }

  /** Slices of equal length, the newest first, each with its rows: all by one look at the sums. */
  async #summed(all: readonly Span[]): Promise<Stretch[]> {
    const [newest, oldest] = [all[0], all.at(-1)];
    if (!newest || !oldest) return [];
    const slice = sql<number>`(${sql.lit(newest.to)} - hour) / ${sql.lit(newest.to + 1 - newest.from)}`;
    const rows = await this.#sums({ from: oldest.from, to: newest.to })
      .select(slice.as('slice'))
      .select(({ fn }) => fn.sum<number>('rows').as('rows'))
      .groupBy(slice)
      .execute();
    const found = new Map(rows.map((row) => [row.slice, row.rows]));
    return all.map((each, index) => ({ ...each, rows: found.get(index) ?? 0, isSummed: true }));
  }

  /** The stretches with the summed ones cut into hours, as far as a page needs that begins in the first. */
  async hourly(stretches: readonly Stretch[], size: number): Promise<Stretch[]> {
    const start = stretches.findIndex(({ isSummed }) => isSummed);
    const summed = stretches.filter(({ isSummed }) => isSummed);
    const [newest, oldest] = [summed[0], summed.at(-1)];
    if (!newest || !oldest) return [...stretches];
    const hours = await this.#hours({ from: oldest.from, to: newest.to }, hoursNeeded(newest, size));
    return stretches.toSpliced(start, summed.length, ...hours);
  }

  async quota(): Promise<number> {
    const span = await this.#span();
    if (this.#table === undefined) return (await this.#ask(isEmpty(span) ? [] : [this.#rawQuota(span)]))[0] ?? 0;
    const { newest, whole, oldest } = cutAtHours(span);
    const days = cutAtDays(whole);
    const ofHours = await this.#tokenHours(whole);
    const ofDays = ofHours || isEmpty(days.whole) ? undefined : await this.#userDays(days.whole);
    const hours = ofHours ? [] : ofDays ? [days.newest, days.oldest] : [whole];
    const sums = await this.#ask([
      ...[newest, oldest].filter((part) => !isEmpty(part)).map((part) => this.#rawQuota(part)),
      ...hours.filter((part) => !isEmpty(part)).map((part) => this.#sum('quota', part)),
    ]);
    return [...sums, ...(ofHours ?? ofDays ?? []).map(({ quota }) => quota)].reduce((total, sum) => total + sum, 0);
  }

  /** The filter's time as far as there are logs at all. */
  async #span(): Promise<Span> {
    const hours = this.#database.selectFrom(upToDate(this.#database, 'log_hours')).select('hour').limit(1);
    const { first, last } = await this.#database
      .selectNoFrom([hours.orderBy('hour', 'asc').as('first'), hours.orderBy('hour', 'desc').as('last')])
      .executeTakeFirstOrThrow();
    if (first === null || last === null) return { from: 0, to: -1 };
    return overlap(this.#filter.within, { from: first, to: last + secondsPerHour - 1 });
  }

  /** The hours that have something, newest first. */
  async #hours(whole: Span, most: number): Promise<Stretch[]> {
    const hours = await this.#sums(whole)
      .select('hour')
      .select(({ fn }) => fn.sum<number>('rows').as('rows'))
      .groupBy('hour')
      .orderBy('hour', 'desc')
      .limit(most)
      .execute();
    return hours.map(({ hour, rows }) => ({ from: hour, to: hour + secondsPerHour - 1, rows, isSummed: true }));
  }

  /** Many numbers by one question. */
  async #ask(questions: readonly Expression<unknown>[]): Promise<number[]> {
    if (questions.length === 0) return [];
    const answers = questions.map((question, index) => sql<number | null>`(${question})`.as(`answer${index}`));
    const row: Record<string, number | null> = await this.#database.selectNoFrom(answers).executeTakeFirstOrThrow();
    return questions.map((_, index) => row[`answer${index}`] ?? 0);
  }

  #sum(counter: 'rows' | 'quota', whole: Span) {
    return this.#sums(whole).select(({ fn }) => fn.sum(counter).as('sum'));
  }

  #count(span: Span) {
    return this.#logs(span).select(({ fn }) => fn.countAll().as('count'));
  }

  #rawQuota(span: Span) {
    return this.#logs(span).select(({ fn }) => fn.sum('quota').as('sum'));
  }

  #sums({ from, to }: Span) {
    return this.#database
      .selectFrom(upToDate(this.#database, this.#table ?? 'usage_hours'))
      .where((where) => matching(where, this.#ofSums))
      .where('hour', '>=', from)
      .where('hour', '<=', to);
  }

  /** The filter as the sums know it: those of failures have no type. */
  get #ofSums(): LogFilter {
    const { type: _type, ...exact } = this.#filter.exact;
    return this.#filter.exact.reason === undefined ? this.#filter : { ...this.#filter, exact };
  }

  #logs({ from, to }: Span) {
    return this.#database
      .selectFrom('logs')
      .where((where) => matching(where, this.#filter))
      .where('created_at', '>=', from)
      .where('created_at', '<=', to);
  }
}
