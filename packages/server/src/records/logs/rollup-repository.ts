import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import { newLogLock, rollupLock } from '../../platform/db/locks.ts';
import { isLockTimeout } from '../../platform/db/months.ts';
import { secondsPerDay, secondsPerHour } from './hours.ts';

interface Rollup {
  /** Key columns; the first one is the time. */
  readonly keys: readonly string[];
  readonly counters: readonly string[];
  /** View of the logs that the rollup aggregates. */
  readonly from: string;
}

const counters = ['rows', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens', 'cost'];
const usageKeys = ['user_id', 'token_name', 'model_name', 'channel', 'group', 'type', 'username'];

const rollups: Readonly<Record<string, Rollup>> = {
  usage_hours: { keys: ['hour', ...usageKeys], counters, from: 'counted_logs' },
  usage_days: { keys: ['day', ...usageKeys], counters, from: 'counted_logs' },
  site_hours: {
    keys: ['hour', 'channel', 'model_name', 'group', 'type', 'reason', 'status'],
    counters,
    from: 'counted_logs',
  },
  tag_hours: { keys: ['hour', 'tag', 'tag_value', ...usageKeys], counters, from: 'tagged_logs' },
  latency_hours: { keys: ['hour', 'bucket'], counters: ['elapsed', 'first_byte'], from: 'served_latencies' },
  served_latency_hours: {
    keys: ['hour', 'model_name', 'channel', 'bucket'],
    counters: ['elapsed', 'first_byte'],
    from: 'served_latencies',
  },
};

/** Rollups by the view that they aggregate. */
const rollupsByView = Map.groupBy(Object.entries(rollups), ([, { from }]) => from);

/** Key in `meta`: id of the last log in the rollups. */
const watermark = 'rolled_up_log';

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

/** Logs per step; fewer on SQLite, where a step blocks all other statements. */
const logsPerStep = { sqlite: 1000, postgres: 10_000 } as const;

/** For commands, which do not block requests. */
const logsPerLongStep = 50_000;

/** How long a step waits for running inserts; new inserts are blocked meanwhile. */
const insertWaitMs = 100;

/** Range of log times, inclusive. */
interface Times {
  readonly from: number;
  readonly to: number;
}

/** Rollups contain the logs with ids up to a watermark. The views `*_now` add the later logs. */
export class RollupRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Id of the last log in the rollups. */
  async rolledUpTo(): Promise<number> {
    const row = await this.#database.selectFrom('meta').select('value').where('key', '=', watermark).executeTakeFirst();
    return Number(row?.value ?? 0);
  }

  /**
   * Highest id below which no log is missing; undefined if an insert takes too long. PostgreSQL transactions commit in
   * any order, so a log may become visible after a log with a higher id. Each insert holds a shared lock from before
   * its first id until its commit. While this lock is held exclusively, every id up to the highest is either committed
   * or unused.
   */
  async lastCompleteId(): Promise<number | undefined> {
    const last = async (database: Database) => {
      const { id } = await database
        .selectFrom('logs')
        .select(({ fn }) => fn.max<number | null>('id').as('id'))
        .executeTakeFirstOrThrow();
      return id ?? 0;
    };
    if (!isPostgres(this.#database)) return last(this.#database);
    try {
      return await this.#database.transaction().execute(async (connection) => {
        await sql`select set_config('lock_timeout', ${String(insertWaitMs)}, true)`.execute(connection);
        await sql`select pg_advisory_xact_lock(${sql.lit(newLogLock)})`.execute(connection);
        return last(connection);
      });
    } catch (error) {
      if (isLockTimeout(error)) return undefined;
      throw error;
    }
  }

  /**
   * Adds up to `most` logs with ids up to `bound`. Returns true if the bound is reached, undefined while another node
   * changes the rollups.
   */
  async advance(bound: number, max = this.#logsPerStep): Promise<boolean | undefined> {
    return this.#database.transaction().execute(async (connection) => {
      if (isPostgres(connection)) {
        // Commits asynchronously: a crash reverts counters and watermark together.
        const { rows } = await sql<{ isMine: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(rollupLock)})
          as ${sql.ref('isMine')}, set_config('synchronous_commit', 'off', true)`.execute(connection);
        if (!rows[0]?.isMine) return undefined;
      }
      const own = new RollupRepository(connection);
      const from = await own.rolledUpTo();
      const to = await own.#endOfStep(from, bound, max);
      if (to > from) await own.#advance(from, to);
      return to >= bound;
    });
  }

  /** Waits until no other node changes the rollups, and blocks other nodes until the transaction ends. */
  async lock(): Promise<void> {
    if (!isPostgres(this.#database)) return;
    await sql`select pg_advisory_xact_lock(${sql.lit(rollupLock)})`.execute(this.#database);
  }

  /** Subtracts rolled-up logs that are about to be deleted. Call in a transaction that holds the lock. */
  async subtract(chosen: RawBuilder<boolean>, { from, to }: Times): Promise<void> {
    for (const [table, rollup] of Object.entries(rollups)) {
      await this.#add(table, rollup, sql`${sql.table(rollup.from)} where ${chosen}`, -1);
      const [time = ''] = rollup.keys;
      const first = from - (from % (time === 'day' ? secondsPerDay : secondsPerHour));
      const isEmpty = sql.join(
        (rollup.counters.includes('rows') ? ['rows'] : rollup.counters).map((name) => sql`${sql.ref(name)} <= 0`),
        sql` and `,
      );
      await sql`delete from ${sql.table(table)} where ${sql.ref(time)} >= ${sql.lit(first)}
        and ${sql.ref(time)} <= ${sql.lit(to)} and ${isEmpty}`.execute(this.#database);
    }
  }

  get #logsPerStep(): number {
    return isPostgres(this.#database) ? logsPerStep.postgres : logsPerStep.sqlite;
  }

  /** Id of the last log of a step, or the bound. Ids have gaps. */
  async #endOfStep(from: number, bound: number, max: number): Promise<number> {
    const last = await this.#database
      .selectFrom('logs')
      .select('id')
      .where('id', '>', from)
      .where('id', '<=', bound)
      .orderBy('id')
      .offset(max - 1)
      .limit(1)
      .executeTakeFirst();
    return last?.id ?? bound;
  }

  async #advance(from: number, to: number): Promise<void> {
    const chosen = sql<boolean>`id > ${sql.lit(from)} and id <= ${sql.lit(to)}`;
    for (const [view, readers] of rollupsByView) {
      const source = await this.#sourceOf(view, readers, chosen);
      for (const [table, rollup] of readers) await this.#add(table, rollup, source, 1);
    }
    await sql`insert into log_names (username, token_name, user_id)
      select distinct username, token_name, user_id from logs where ${chosen} on conflict do nothing`.execute(
      this.#database,
    );
    await this.#database
      .insertInto('meta')
      .values({ key: watermark, value: String(to) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: String(to) }))
      .execute();
  }

  /**
   * The chosen rows of a view. SQLite sorts all rows for each grouping, so it groups the rows once for all rollups that
   * read the view. The temporary table is created only once, because creating one expires all prepared statements.
   */
  async #sourceOf(view: string, readers: readonly [string, Rollup][], chosen: RawBuilder<boolean>) {
    const rows = sql`${sql.table(view)} where ${chosen}`;
    if (isPostgres(this.#database) || readers.length === 1) return rows;
    const table = sql.table(`step_${view}`);
    const keys = refs([...new Set(readers.flatMap(([, rollup]) => rollup.keys))]);
    const added = [...new Set(readers.flatMap(([, rollup]) => rollup.counters))];
    const sums = sql.join(added.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`));
    await sql`create temp table if not exists ${table} as select ${keys}, ${refs(added)} from ${sql.table(view)} limit 0`.execute(
      this.#database,
    );
    await sql`delete from ${table}`.execute(this.#database);
    await sql`insert into ${table} select ${keys}, ${sums} from ${rows} group by ${keys}`.execute(this.#database);
    return table;
  }

  async #add(table: string, { keys, counters: added }: Rollup, source: RawBuilder<unknown>, sign: 1 | -1) {
    const sums = added.map((name) => sql`${sql.lit(sign)} * cast(sum(${sql.ref(name)}) as bigint)`);
    const totals = added.map(
      (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    );
    await sql`insert into ${sql.table(table)} (${refs([...keys, ...added])})
      select ${refs(keys)}, ${sql.join(sums)} from ${source} group by ${refs(keys)} order by ${refs(keys)}
      on conflict (${refs(keys)}) do update set ${sql.join(totals)}`.execute(this.#database);
  }
}

/** Adds all logs to the rollups, for commands that write many. */
export async function rollUpAll(database: Database): Promise<void> {
  const rollups = new RollupRepository(database);
  const bound = await rollups.lastCompleteId();
  while (bound !== undefined && (await rollups.advance(bound, logsPerLongStep)) === false);
}
