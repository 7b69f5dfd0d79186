import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { foldLock, isFoldMine, mostFoldedAtOnce, withFoldLock } from '../../platform/db/fold-lock.ts';
import { isPostgres } from '../../platform/db/is-postgres.ts';
import type { Folded } from '../totals/folded.ts';
import { counters, rollUpKeys } from './roll-up.ts';

interface SumTable {
  readonly keys: readonly string[];
  readonly counters: readonly string[];
  /** The changes it is made from. */
  readonly from: string;
}

const sumTables: Readonly<Record<string, SumTable>> = {
  log_hours: { keys: rollUpKeys.log_hours, counters, from: 'usage' },
  model_hours: { keys: rollUpKeys.model_hours, counters, from: `usage where model_name <> '' or "group" <> ''` },
  channel_hours: { keys: rollUpKeys.channel_hours, counters, from: 'usage where channel <> 0' },
  user_days: {
    keys: rollUpKeys.user_days,
    counters,
    from: '(select *, hour - hour % 86400 as day from usage) as days',
  },
  usage_hours: { keys: rollUpKeys.usage_hours, counters, from: 'usage' },
  latency_hours: { keys: ['hour', 'bucket'], counters: ['elapsed', 'first_byte'], from: 'latency' },
  failure_hours: {
    keys: ['hour', 'channel', 'model_name', 'reason', 'status'],
    counters: ['rows'],
    from: 'failure',
  },
};

const quoted = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

const addition = (table: string, { keys, counters: added, from }: SumTable) => `added_${table} as (
  insert into ${table} (${quoted([...keys, ...added])})
  select ${quoted(keys)}, ${added.map((counter) => `sum("${counter}")::bigint`).join(', ')} from ${from}
  group by ${quoted(keys)} order by ${quoted(keys)}
  on conflict (${quoted(keys)}) do update
  set ${added.map((counter) => `"${counter}" = ${table}."${counter}" + excluded."${counter}"`).join(', ')})`;

const taking = (name: string) => `${name} as (delete from ${name}_changes
  where ctid = any(array(select ctid from ${name}_changes where ${isFoldMine} limit ${mostFoldedAtOnce})) returning *)`;

/** One statement, so that a node that falls silent meanwhile holds nothing. */
const statement = `${withFoldLock}, ${['usage', 'latency', 'failure'].map(taking).join(', ')},
  ${Object.entries(sumTables)
    .map(([table, sums]) => addition(table, sums))
    .join(', ')},
  added_owners as (insert into log_owners (username, token_name, user_id)
    select distinct username, token_name, user_id from usage order by username, token_name, user_id
    on conflict do nothing)
  select is_mine, (select count(*) from usage) + (select count(*) from latency) + (select count(*) from failure)
    as changes from mine`;

/** Brings what waits beside the sums of hours and days into them: on PostgreSQL nothing else writes there. */
export class SumFoldRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Some thousand changes, unless another node is at it. */
  async fold(): Promise<Folded> {
    if (!isPostgres(this.#database)) return { isMine: true, changes: 0, isMore: false };
    const { rows } = await this.#database.executeQuery<{ is_mine: boolean; changes: number }>(
      CompiledQuery.raw(statement, []),
    );
    const changes = rows[0]?.changes ?? 0;
    return { isMine: rows[0]?.is_mine === true, changes, isMore: changes >= mostFoldedAtOnce };
  }

  /**
   * All that are there; in a transaction, and until its end nobody else folds. To be called after logs were deleted: then
   * whatever any of them added is in the tables.
   */
  async foldAlone(): Promise<void> {
    if (!isPostgres(this.#database)) return;
    await sql`select pg_advisory_xact_lock(${sql.lit(foldLock)})`.execute(this.#database);
    while ((await this.fold()).isMore);
  }
}
