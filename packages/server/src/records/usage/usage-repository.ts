import { logType, type UsageSums } from '@headgate/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { upToDate, upToDateTable } from '../../platform/db/up-to-date.ts';
import { secondsPerDay } from '../logs/roll-up.ts';
import type { Span } from '../logs/time-span.ts';
import { TokenPackRepository } from './token-pack-repository.ts';
import { UsageNameRepository } from './usage-name-repository.ts';
import { requestTypes, UsagePackRepository } from './usage-pack-repository.ts';
import type { Piece, SumsRequest, SumsRow } from './usage-request.ts';
import type { Column, SumTable } from './usage-source.ts';

/** Rows of the finest sums that may be read for one answer where nothing narrows them down. */
const mostRowsRead = 400_000;

const measures = sql`sum(${sql.ref('rows')}) as requests,
  sum(case when type = ${sql.lit(logType.failure)} then ${sql.ref('rows')} else 0 end) as failures, sum(quota) as quota,
  sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
  sum(cached_tokens) as cached_tokens, sum(cost) as cost`;

const counters = sql`type, ${sql.ref('rows')}, quota, prompt_tokens, completion_tokens, cached_tokens, cost`;

/** What has no model, no channel or no group is not told apart by it: nobody can ask for the logs of that. */
const named: Partial<Record<Column, RawBuilder<unknown>>> = {
  model_name: sql`model_name <> ''`,
  channel: sql`channel <> 0`,
  group: sql`${sql.ref('group')} <> ''`,
};

/** What usage is read with, all of one moment. */
export interface Snapshot {
  readonly sums: UsageRepository;
  readonly packs: UsagePackRepository;
  readonly tokens: TokenPackRepository;
  readonly names: UsageNameRepository;
  /** For what others know of that moment. */
  readonly transaction: Pick<Transaction, 'database'>;
}

/** Adds up the sums of hours; never reads the logs. */
export class UsageRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  inSnapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#database
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((connection) =>
        work({
          sums: new UsageRepository(connection),
          packs: new UsagePackRepository(connection),
          tokens: new TokenPackRepository(connection),
          names: new UsageNameRepository(connection),
          transaction: { database: connection },
        }),
      );
  }

  /** The first second of the first and of the last hour in which something was logged. */
  async logged(): Promise<{ readonly first: number; readonly last: number } | undefined> {
    const hours = this.#database.selectFrom(upToDate(this.#database, 'log_hours')).select('hour').limit(1);
    const { first, last } = await this.#database
      .selectNoFrom([hours.orderBy('hour', 'asc').as('first'), hours.orderBy('hour', 'desc').as('last')])
      .executeTakeFirstOrThrow();
    return first === null || last === null ? undefined : { first, last };
  }

  /** Whether the finest sums of some times are few enough to be read all. */
  async isReadable(spans: readonly Span[]): Promise<boolean> {
    if (spans.length === 0) return true;
    const found = spans.map(({ from, to }) => sql`select 1 from usage_hours where hour >= ${from} and hour <= ${to}`);
    const { rows } = await sql<{ count: number }>`select count(*) as count from
      (${sql.join(found, sql` union all `)} limit ${sql.lit(mostRowsRead + 1)}) as found`.execute(this.#database);
    return (rows[0]?.count ?? 0) <= mostRowsRead;
  }

  /** Everybody's. */
  async total(from: number, to: number): Promise<readonly UsageSums[]> {
    return this.sums({ from, to, by: [], filter: {} }, [{ table: 'log_hours', from, to }], undefined);
  }

  async sums(
    request: SumsRequest,
    pieces: readonly Piece[],
    owners: readonly number[] | undefined,
  ): Promise<readonly SumsRow[]> {
    if (pieces.length === 0) return [];
    const { by, time, offset = 0, largest } = request;
    const at = time === 'day' ? sql`(hour + ${sql.lit(offset)}) / ${sql.lit(secondsPerDay)}` : sql`hour`;
    const keys = [...by.map((column) => sql.ref(column)), ...(time ? [at] : [])];
    const selected = [...by.map((column) => sql.ref(column)), time ? sql`${at} as time` : sql`0 as time`];
    const grouping = keys.length === 0 ? sql`` : sql`group by ${sql.join(keys)}`;
    // In the order of the names where sums are alike, so that an answer does not change by itself.
    const order = largest
      ? sql`order by ${sql.ref(largest.measure)} desc, ${sql.join(keys)} limit ${sql.lit(largest.count)}`
      : sql``;
    const read = pieces.map((piece) => readOf(this.#database, piece, request, owners));
    const { rows } = await sql<SumsRow>`select ${sql.join([...selected, measures])}
      from (${sql.join(read, sql` union all `)}) as usage ${grouping} ${order}`.execute(this.#database);
    return rows.filter(({ requests }) => requests !== null && requests > 0);
  }
}

function readOf(
  database: Database,
  { table, from, to }: Piece,
  request: SumsRequest,
  owners: readonly number[] | undefined,
): RawBuilder<unknown> {
  const isByUser = table === 'usage_hours' || table === 'user_hours';
  const conditions = [
    sql`hour >= ${from} and hour <= ${to}`,
    requestTypes,
    ...request.by.flatMap((column) => named[column] ?? []),
    ...conditionsOf(request, isByUser ? owners : undefined),
  ];
  const columns = request.by.length === 0 ? sql`` : sql`${sql.join(request.by.map((column) => sql.ref(column)))},`;
  return sql`select hour, ${columns} ${counters} from ${tableOf(database, table, request)}
    where ${sql.join(conditions, sql` and `)}`;
}

function conditionsOf({ filter, among }: SumsRequest, owners: readonly number[] | undefined): RawBuilder<unknown>[] {
  const equal = (column: string, value: unknown) => sql`${sql.ref(column)} = ${value}`;
  const conditions = Object.entries(filter).map(([column, value]) => equal(column, value));
  if (owners) conditions.push(sql`user_id in (${sql.join(owners)})`);
  if (!among) return conditions;
  const [first] = among.map((values) => Object.keys(values));
  const column = first?.length === 1 ? first[0] : undefined;
  if (column !== undefined) {
    const values = among.map((each) => each[column as Column]);
    conditions.push(sql`${sql.ref(column)} in (${sql.join(values)})`);
  } else {
    const either = among.map((values) => {
      const all = Object.entries(values).map(([name, value]) => equal(name, value));
      return sql`(${sql.join(all, sql` and `)})`;
    });
    conditions.push(sql`(${sql.join(either, sql` or `)})`);
    const users = among.flatMap(({ user_id }) => user_id ?? []);
    if (users.length > 0) conditions.push(sql`user_id in (${sql.join(users)})`);
  }
  return conditions;
}

/**
 * Sums by model lie in the order of the models: where none is named, they are looked for one after the other, so that of
 * each only the hours asked for are read.
 */
function tableOf(database: Database, source: SumTable, { filter, among }: SumsRequest): RawBuilder<unknown> {
  // Those of packed hours are made from all others when nothing is added to them any more.
  const table = source === 'user_hours' ? sql.table(source) : upToDateTable(database, source);
  const leading = source === 'model_hours' ? 'model_name' : source === 'channel_hours' ? 'channel' : undefined;
  const isNamed = leading !== undefined && (leading in filter || (among?.every((each) => leading in each) ?? false));
  if (leading === undefined || isNamed) return sql`${table} as sums`;
  const column = sql.ref(leading);
  return sql`(with recursive names(name) as (select min(${column}) from ${table}
      union all select (select min(${column}) from ${table} where ${column} > name) from names where name is not null)
    select name from names where name is not null) as names
    join ${table} as sums on sums.${column} = names.name`;
}
