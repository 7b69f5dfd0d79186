import { logType, type UsageMeasure, type UsageRanking, type UsageTotals, usageMeasures } from '@headgate/contract';
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import { currentTable } from '../../platform/db/current-tables.ts';
import { type Database, type DatabaseLocation, openForExport } from '../../platform/db/database.ts';
import { type FreeModels, noFreeModels, quotaWithoutCost, readFreeModels } from '../../platform/db/unknown-cost.ts';
import { secondsPerDay } from '../logs/hours.ts';
import { maxNameOwners } from '../logs/log-filter.ts';
import { isEmpty, type Span, splitAtDays } from '../logs/time-span.ts';
import { UsageNameRepository } from './usage-name-repository.ts';
import type { AggregateRow, Column, SumsRequest, UsageFilter } from './usage-request.ts';

/** Time span, and the table or view that contains its usage. */
interface UsagePiece extends Span {
  readonly table: 'site_hours' | 'usage_hours' | 'usage_days' | 'tag_hours' | 'new_logs' | 'new_tagged_logs';
}

const userColumns: readonly Column[] = ['user_id', 'username', 'token_name'];

/** Tables to read for a request: the smallest rollup with all its columns, and the logs that are not rolled up yet. */
function usagePieces(request: SumsRequest): readonly UsagePiece[] {
  const { from, to } = request;
  if (readsTag(request)) {
    return [
      { table: 'tag_hours', from, to },
      { table: 'new_tagged_logs', from, to },
    ];
  }
  return [...rollupPieces(request), { table: 'new_logs', from, to }];
}

function rollupPieces(request: SumsRequest): readonly UsagePiece[] {
  const { from, to, time, offset = 0, filter, owners } = request;
  const columns = [...request.by, ...Object.keys(filter), ...(request.among ?? []).flatMap(Object.keys)];
  if (!userColumns.some((column) => columns.includes(column))) return [{ table: 'site_hours', from, to }];
  // An index finds the hours of a single user, and days in other time zones are computed from hours.
  const isOfFewUsers = owners !== undefined || filter.user_id !== undefined;
  const isInDays = time === undefined || (time === 'day' && offset % secondsPerDay === 0);
  if (isOfFewUsers || !isInDays) return [{ table: 'usage_hours', from, to }];
  const { newest, whole, oldest } = splitAtDays({ from, to });
  return [
    { table: 'usage_hours' as const, ...oldest },
    { table: 'usage_days' as const, ...whole },
    { table: 'usage_hours' as const, ...newest },
  ].filter((piece) => !isEmpty(piece));
}

/** True if the request groups or filters by the value of a tag. */
const readsTag = ({ by, filter, among = [] }: SumsRequest): boolean =>
  by.includes('tag_value') || filter.tag_value !== undefined || among.some((values) => 'tag_value' in values);

const rowCount = sql.ref('rows');

const requestTypes = sql<boolean>`type in (${sql.lit(logType.consumption)}, ${sql.lit(logType.failure)})`;

/** A measure of one rollup row. */
const measured = (measure: UsageMeasure, free: FreeModels): RawBuilder<unknown> => {
  if (measure === 'requests') return rowCount;
  if (measure === 'uncosted_quota') return quotaWithoutCost(free);
  return measure === 'failures'
    ? sql`case when type = ${sql.lit(logType.failure)} then ${rowCount} else 0 end`
    : sql.ref(measure);
};

/** Measures from which a ranking is computed. */
const rankedMeasures = (ranking: UsageRanking): readonly UsageMeasure[] =>
  ranking === 'margin' ? ['quota', 'uncosted_quota', 'cost'] : [ranking];

const rankingValue = (ranking: UsageRanking): RawBuilder<unknown> => {
  if (ranking !== 'margin') return sql.ref(ranking);
  const sum = (measure: UsageMeasure) => sql`sum(${sql.ref(`usage.${measure}`)})`;
  return sql`${sum('quota')} - ${sum('uncosted_quota')} - ${sum('cost')}`;
};

/**
 * Requests without a model, channel or group are left out of that column's groups, because no filter could find their
 * logs.
 */
const named: Partial<Record<Column, RawBuilder<unknown>>> = {
  model_name: sql`model_name <> ''`,
  channel: sql`channel <> 0`,
  group: sql`${sql.ref('group')} <> ''`,
};

/** Repositories that read from the same snapshot. */
export interface Snapshot {
  readonly sums: UsageRepository;
  readonly names: UsageNameRepository;
}

export type { DatabaseLocation };

/** Opens a read-only connection for usage. */
export const openUsage = async (location: DatabaseLocation): Promise<UsageRepository> =>
  new UsageRepository(await openForExport(location));

/** Sums rollups of logs. */
export class UsageRepository {
  readonly #database: Database;
  readonly #free: FreeModels;

  /** Without `free`, every charged row with a cost of 0 counts as unknown cost. */
  constructor(database: Database, free: FreeModels = noFreeModels) {
    this.#database = database;
    this.#free = free;
  }

  inSnapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#database
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (connection) =>
        work({
          sums: new UsageRepository(connection, await readFreeModels(connection)),
          names: new UsageNameRepository(connection),
        }),
      );
  }

  /** First and last hour with logs. */
  async logged(): Promise<{ readonly first: number; readonly last: number } | undefined> {
    // One subquery for each of the two, so that each reads a single index entry.
    const { rows } = await sql<
      Record<'first' | 'last', number | null>
    >`select min(first) as first, max(last) as last from (
        select (select min(hour) from site_hours) as first, (select max(hour) from site_hours) as last
        union all select min(hour), max(hour) from new_logs) as ends`.execute(this.#database);
    const { first = null, last = null } = rows[0] ?? {};
    return first === null || last === null ? undefined : { first, last };
  }

  /** Users with logs under the names of a filter; undefined without names, or if there are many users. */
  async owners({ user_id, username, token_name }: UsageFilter): Promise<readonly number[] | undefined> {
    const names = { ...(username !== undefined && { username }), ...(token_name !== undefined && { token_name }) };
    if (user_id !== undefined || Object.keys(names).length === 0) return undefined;
    const owners = await this.#database
      .selectFrom(currentTable(this.#database, 'log_names'))
      .select('user_id')
      .distinct()
      .where((where) => where.and(names))
      .limit(maxNameOwners + 1)
      .execute();
    return owners.length > maxNameOwners ? undefined : owners.map((owner) => owner.user_id);
  }

  /** Total of all users. */
  async total(from: number, to: number): Promise<readonly UsageTotals[]> {
    return this.sums({ from, to, by: [], filter: {} });
  }

  async sums(request: SumsRequest): Promise<readonly AggregateRow[]> {
    const { by, largest, among, owners } = request;
    if (owners?.length === 0 || among?.length === 0) return [];
    const isRanking = largest !== undefined && among === undefined && by.includes('user_id');
    if (!isRanking) return this.#sums(request, usageMeasures);
    // Reads a single measure of all users first, then all measures of the top users.
    const top = await this.#sums(request, rankedMeasures(largest.measure));
    return this.sums({ ...request, among: top.map((row) => valuesOf(row, by)) });
  }

  async #sums(request: SumsRequest, measures: readonly UsageMeasure[]): Promise<readonly AggregateRow[]> {
    const { by, time, largest } = request;
    const keys = [...by.map((column) => sql.ref(column)), ...(time ? [sql.ref('time')] : [])];
    const sums = measures.map((measure) => sql`sum(${sql.ref(measure)}) as ${sql.ref(measure)}`);
    const selected = [
      ...by.map((column) => sql.ref(column)),
      time ? sql.ref('time') : sql`0 as ${sql.ref('time')}`,
      ...sums,
    ];
    const read = usagePieces(request).map((piece) => this.#read(piece, request, measures));
    const grouping = keys.length === 0 ? sql`` : sql`group by ${sql.join(keys)}`;
    // Equal sums are ordered by key, so that responses are stable.
    const order = largest
      ? sql`order by ${rankingValue(largest.measure)} ${sql.raw(largest.order)}, ${sql.join(keys)} limit ${sql.lit(largest.count)}`
      : sql``;
    const { rows } = await sql<AggregateRow>`select ${sql.join(selected)}
      from (${sql.join(read, sql` union all `)}) as usage ${grouping} ${order}`.execute(this.#database);
    // Without grouping, an empty result is a row of nulls.
    return rows.filter((row) => measures.every((measure) => row[measure] !== null));
  }

  #read(piece: UsagePiece, request: SumsRequest, measures: readonly UsageMeasure[]): RawBuilder<unknown> {
    const { by, time, offset = 0 } = request;
    const start = sql.ref(piece.table === 'usage_days' ? 'day' : 'hour');
    const columns = by.map((column) => sql.ref(column));
    const at = time === 'day' ? sql`(${start} + ${sql.lit(offset)}) / ${sql.lit(secondsPerDay)}` : start;
    const conditions = [
      this.#isWithin(start, piece, request),
      requestTypes,
      ...(request.isWithUnnamed ? [] : by.flatMap((column) => named[column] ?? [])),
      ...conditionsOf(request),
    ];
    const where = sql`from ${sql.table(piece.table)} where ${sql.join(conditions, sql` and `)}`;
    if (this.#isInOrder(piece, request)) {
      const sums = measures.map((measure) => sql`sum(${measured(measure, this.#free)}) as ${sql.ref(measure)}`);
      return sql`select ${sql.join([...columns, ...sums])} ${where} group by ${sql.join([start, ...columns])}`;
    }
    const values = measures.map((measure) => sql`${measured(measure, this.#free)} as ${sql.ref(measure)}`);
    return sql`select ${sql.join([...columns, ...(time ? [sql`${at} as ${sql.ref('time')}`] : []), ...values])} ${where}`;
  }

  /** For a few users, SQLite looks up each of their days by key instead of reading all users of these days. */
  #isWithin(start: RawBuilder<unknown>, { table, from, to }: UsagePiece, { among }: SumsRequest): RawBuilder<unknown> {
    const isOfUsers = among?.every(({ user_id }) => user_id !== undefined) ?? false;
    if (isPostgres(this.#database) || table !== 'usage_days' || !isOfUsers) {
      return sql`${start} >= ${from} and ${start} <= ${to}`;
    }
    const days = Array.from(
      { length: Math.ceil((to - from) / secondsPerDay) },
      (_, index) => from + index * secondsPerDay,
    );
    return sql`${start} in (${sql.join(days.map((day) => sql.lit(day)))})`;
  }

  /**
   * SQLite sorts rows before grouping them. User days are stored in key order, so each day can be grouped without
   * sorting.
   */
  #isInOrder({ table }: UsagePiece, { by, time }: SumsRequest): boolean {
    const isPrefix =
      by.length > 0 && by.every((column, index) => column === (['user_id', 'token_name'] as const)[index]);
    return !isPostgres(this.#database) && table === 'usage_days' && time === undefined && isPrefix;
  }
}

function conditionsOf(request: SumsRequest): RawBuilder<unknown>[] {
  const { filter, among, owners } = request;
  const equal = (column: string, value: unknown) => sql`${sql.ref(column)} = ${value}`;
  const { tag: _unused, ...untagged } = filter;
  const conditions = Object.entries(readsTag(request) ? filter : untagged).map(([column, value]) =>
    equal(column, value),
  );
  if (owners) conditions.push(sql`user_id in (${sql.join(owners)})`);
  if (!among) return conditions;
  const [column, ...others] = Object.keys(among[0] ?? {});
  if (column !== undefined && others.length === 0) {
    conditions.push(sql`${sql.ref(column)} in (${sql.join(among.flatMap(Object.values))})`);
    return conditions;
  }
  const either = among.map((values) => {
    const all = Object.entries(values).map(([name, value]) => equal(name, value));
    return sql`(${sql.join(all, sql` and `)})`;
  });
  conditions.push(sql`(${sql.join(either, sql` or `)})`);
  const users = among.flatMap(({ user_id }) => user_id ?? []);
  if (users.length > 0) conditions.push(sql`user_id in (${sql.join(users)})`);
  return conditions;
}

const valuesOf = (row: AggregateRow, columns: readonly Column[]) =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));
