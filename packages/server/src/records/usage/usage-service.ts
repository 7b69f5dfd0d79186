import {
  isUsagePeriod,
  type Usage,
  type UsageAxis,
  type UsageHeading,
  type UsageTotals,
  usageMargin,
} from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { endOfHour, hourOf, secondsPerDay } from '../logs/hours.ts';
import { TimeBuckets } from './time-buckets.ts';
import { type ZoneSpan, zoneSpans } from './time-zone.ts';
import type { UsageNameRepository } from './usage-name-repository.ts';
import type { Snapshot, UsageRepository } from './usage-repository.ts';
import {
  type AggregateRow,
  narrowingSubject,
  type SumsRequest,
  subjectColumns,
  subjectsOf,
  type UsageCriteria,
} from './usage-request.ts';
import { addOtherColumn, addOtherRow, addSums, emptyTotals, sumTotals, usageHeading } from './usage-sums.ts';

/** Maximum numbers of times and of cells per response. */
const maxTimes = 1500;
const maxCells = 20_000;
/** Maximum time range before the first log and after now, in seconds. */
const emptyTime = 100 * secondsPerDay;

interface Axis {
  readonly headings: UsageHeading[];
  /** Database rows of the headings, in order; undefined for times. */
  readonly named?: readonly AggregateRow[];
  indexOf(row: TimedRow): number | undefined;
}

/** A query with the data needed to process it. */
interface UsageContext {
  readonly question: UsageCriteria;
  readonly from: number;
  readonly to: number;
  readonly spans: readonly ZoneSpan[];
  readonly times: TimeBuckets | undefined;
  /** Ids of the only users who can match the names in the filter, if there are few of them. */
  readonly owners: readonly number[] | undefined;
  readonly sums: UsageRepository;
  readonly names: UsageNameRepository;
  /**
   * All rows of a query that does not involve users. They are few, so one database query is enough for total, axes and
   * cells.
   */
  readonly site: readonly TimedRow[] | undefined;
}

/** Usage by user, model, channel, group and time, from the rollups of logs. */
export class UsageService {
  readonly #sums: UsageRepository;

  constructor(sums: UsageRepository) {
    this.#sums = sums;
  }

  read(question: UsageCriteria): Promise<Usage> {
    return this.#sums.inSnapshot((snapshot) => this.#respond(snapshot, question));
  }

  async #respond(snapshot: Snapshot, question: UsageCriteria): Promise<Usage> {
    const owners = await snapshot.sums.owners(question.filter);
    const logged = await snapshot.sums.logged();
    const now = nowInSeconds();
    const first = logged?.first ?? now;
    const [start, end] = [question.start || first, question.end || now];
    if (endOfHour(end) < hourOf(start)) throw new ApiError('usageTimeBackwards');
    const near = (time: number) => Math.min(Math.max(time, first - emptyTime), now + emptyTime);
    const [from, to] = [hourOf(near(start)), endOfHour(near(end))];
    const { spans, isRounded } = zoneSpans(question.zone, from, to);
    const times = question.grain && new TimeBuckets(question.grain, spans, maxTimes);
    if (times && times.all.length > maxTimes) throw new ApiError('usageTooFine');
    const requested: UsageContext = { question, from, to, spans, times, owners, site: undefined, ...snapshot };
    const context = isOfSite(question) ? { ...requested, site: await this.#readSite(requested) } : requested;
    const grid = await this.#grid(context);
    return { from, to, first: logged?.first ?? 0, is_rounded: isRounded, ...grid };
  }

  async #grid(context: UsageContext): Promise<Pick<Usage, 'rows' | 'columns' | 'cells' | 'total'>> {
    const { question } = context;
    const total = sumTotals(await this.#read(context, { by: [] }));
    const rows = await this.#axis(context, question.rows);
    const columns = await this.#axis(context, question.columns, total);
    if (rows.headings.length * columns.headings.length > maxCells) throw new ApiError('usageTooFine');
    const cells = await this.#cells(context, rows, columns);
    const grid = { rows: rows.headings, columns: columns.headings, cells };
    if (columns.named) addOtherColumn(grid, total);
    if (rows.named) addOtherRow(grid, total);
    return { ...grid, columns: question.columns === undefined ? [] : columns.headings, total };
  }

  async #axis(context: UsageContext, axis: UsageAxis | undefined, total: UsageTotals = emptyTotals): Promise<Axis> {
    if (axis === undefined) return { headings: [usageHeading('', '', { total })], indexOf: () => 0 };
    return isUsagePeriod(axis) ? this.#timeAxis(context) : this.#subjectAxis(context, axis);
  }

  async #timeAxis(context: UsageContext): Promise<Axis> {
    const { times, question } = context;
    const headings = (times?.all ?? []).map(({ key, from, to }) => usageHeading(key, key, { from, to }));
    const indexOf = ({ time, offset }: TimedRow) =>
      times?.indexOf(question.grain === 'hour' ? time : time * secondsPerDay - offset, offset);
    for (const row of await this.#read(context, { by: [], time: timeOf(question) })) {
      const heading = headings[indexOf(row) ?? -1];
      if (heading) addSums(heading.total, row);
    }
    return { headings, indexOf };
  }

  /** Axis of the top subjects by the selected measure. */
  async #subjectAxis(context: UsageContext, subject: keyof typeof subjectColumns): Promise<Axis> {
    const by = subjectColumns[subject];
    const { measure, order, top } = context.question;
    const named = await this.#read(context, { by, largest: { measure, order, count: top } });
    const nameOf = (row: AggregateRow) => by.map((column) => row[column]).join('\0');
    const positions = new Map(named.map((row, index) => [nameOf(row), index]));
    const headings = await context.names.headings(subject, named);
    return { headings, named, indexOf: (row) => positions.get(nameOf(row)) };
  }

  async #cells(context: UsageContext, rows: Axis, columns: Axis): Promise<UsageTotals[][]> {
    const { question } = context;
    if (question.columns === undefined) return rows.headings.map(({ total }) => [{ ...total }]);
    const cells = rows.headings.map(() => columns.headings.map(() => ({ ...emptyTotals })));
    const narrowing = narrowingSubject(question);
    const named = (narrowing === question.rows ? rows : columns).named;
    const by = [...new Set(subjectsOf(question).flatMap((subject) => subjectColumns[subject]))];
    const among = narrowing && named?.map((row) => valuesOf(row, subjectColumns[narrowing]));
    for (const row of await this.#read(context, { by, time: timeOf(question), among })) {
      const cell = cells[rows.indexOf(row) ?? -1]?.[columns.indexOf(row) ?? -1];
      if (cell) addSums(cell, row);
    }
    return cells;
  }

  #readSite(context: UsageContext): Promise<readonly TimedRow[]> {
    const by = subjectsOf(context.question).flatMap((subject) => subjectColumns[subject]);
    return this.#read(context, { by, time: timeOf(context.question), isWithUnnamed: true });
  }

  /** Days are read per UTC offset, because they start at a different hour after clocks change. */
  async #read(
    { question, from, to, spans, owners, sums, site }: UsageContext,
    request: Pick<SumsRequest, 'by' | 'time' | 'among' | 'largest' | 'isWithUnnamed'>,
  ): Promise<readonly TimedRow[]> {
    if (site) return sumInMemory(site, request);
    const isDaily = request.time === 'day';
    const offsetOf = (time: number) => spans.find((span) => time <= span.to)?.offset ?? 0;
    const found: TimedRow[] = [];
    for (const span of isDaily ? spans : [{ from, to, offset: 0 }]) {
      const rows = await sums.sums({ ...request, ...span, filter: question.filter, owners });
      for (const row of rows) found.push({ ...row, offset: isDaily ? span.offset : offsetOf(row.time) });
    }
    return found;
  }
}

/** True for queries without users, tokens or their names. */
const isOfSite = (question: UsageCriteria): boolean =>
  !subjectsOf(question).some((subject) => subject === 'user' || subject === 'token') &&
  Object.keys(question.filter).every((column) => siteColumns.includes(column));

const siteColumns: readonly string[] = ['model_name', 'channel', 'group'];

const timeOf = ({ grain }: UsageCriteria) => (grain === undefined || grain === 'hour' ? grain : 'day');

const valuesOf = (row: AggregateRow, columns: readonly (keyof AggregateRow)[]) =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

type TimedRow = AggregateRow & { readonly offset: number };

/**
 * Groups and sums rows of `site_hours` like an SQL query. Rows with an empty value in a grouping column are skipped.
 */
function sumInMemory(
  rows: readonly TimedRow[],
  { by, time, largest }: Pick<SumsRequest, 'by' | 'time' | 'largest'>,
): readonly TimedRow[] {
  const sums = new Map<string, TimedRow>();
  for (const row of rows) {
    const values = by.map((column) => row[column]);
    if (values.some((value) => value === '' || value === 0)) continue;
    const key = JSON.stringify(time ? [...values, row.time, row.offset] : values);
    const sum = sums.get(key) ?? { ...row, ...emptyTotals };
    addSums(sum, row);
    sums.set(key, sum);
  }
  const all = [...sums.values()];
  if (!largest) return all;
  const { measure, count, order: direction } = largest;
  const sign = direction === 'asc' ? -1 : 1;
  const rankOf = (row: TimedRow) => (measure === 'margin' ? usageMargin(row) : row[measure]);
  const [column] = by;
  const order = (row: TimedRow) => (column === undefined ? '' : (row[column] ?? ''));
  return all
    .sort((one, other) => sign * (rankOf(other) - rankOf(one)) || (order(one) < order(other) ? -1 : 1))
    .slice(0, count);
}
