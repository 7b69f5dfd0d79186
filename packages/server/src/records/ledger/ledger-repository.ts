import { type Ledger, logType } from '@headgate/contract';
import { sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';

const maxOffenders = 100;

/** Credited or plan-covered quota that is neither used nor remaining; 0 while no request holds a reservation. */
const drift = sql<number>`(users.credited + users.plan_quota - users.used_quota - users.quota)`;

/** Used quota that is neither in the log nor recorded as unlogged. */
const logDrift = sql<number>`(users.used_quota - users.unlogged_quota - coalesce(logged.quota, 0))`;

/** Floating point, because an integer sum could overflow. */
const total = (value: typeof drift) => sql<number | null>`sum(abs(${value}) * 1.0)`;

const withinBounds = (sum: number | null) => Math.min(sum ?? 0, Number.MAX_SAFE_INTEGER);

/** Source of the logged consumption: log rows, or rollups, which are faster. */
type Evidence = 'rows' | 'sums';

export class LedgerRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Checks the ledger of all users, including deleted users, because their quota was credited too. */
  async check(evidence: Evidence = 'sums'): Promise<Ledger> {
    const { users, off, log_off } = await this.#users(evidence)
      .select(({ fn }) => [fn.countAll<number>().as('users'), total(drift).as('off'), total(logDrift).as('log_off')])
      .executeTakeFirstOrThrow();
    return {
      users,
      drift: withinBounds(off),
      log_drift: withinBounds(log_off),
      offenders: off || log_off ? await this.#offenders(evidence) : [],
      budget_drift: await this.#budgetDrift(),
      set_aside: await this.#setAside(),
    };
  }

  /**
   * Each charge records its budgeted amount both for the user and for the budget periods. Compared in one statement, so
   * that both are from the same snapshot. Periods of deleted budgets are kept.
   */
  async #budgetDrift(): Promise<number> {
    const users = this.#database
      .selectFrom(currentTable(this.#database, 'users'))
      .select(sql<number>`coalesce(sum(budgeted_quota * 1.0), 0)`.as('quota'));
    const periods = this.#database
      .selectFrom(currentTable(this.#database, 'budget_periods'))
      .select(sql<number>`coalesce(sum(used * 1.0), 0)`.as('quota'));
    const { off } = await this.#database
      .selectNoFrom(sql<number>`${users} - ${periods}`.as('off'))
      .executeTakeFirstOrThrow();
    return Math.sign(off) * withinBounds(Math.abs(off));
  }

  /** Checks only the balances, which is cheap. */
  async checkBalances(): Promise<Pick<Ledger, 'drift' | 'set_aside'>> {
    const { off } = await this.#database
      .selectFrom(currentTable(this.#database, 'users'))
      .select(total(drift).as('off'))
      .executeTakeFirstOrThrow();
    return { drift: withinBounds(off), set_aside: await this.#setAside() };
  }

  /** Users joined with their logged consumption, in one statement, so that both are from the same snapshot. */
  #users(evidence: Evidence) {
    const logged = this.#database
      .selectFrom(evidence === 'rows' ? 'logs' : currentTable(this.#database, 'usage_days'))
      .select(({ fn }) => ['user_id', fn.sum<number>('quota').as('quota')])
      .where('type', '=', logType.consumption)
      .groupBy('user_id')
      .as('logged');
    return this.#database
      .selectFrom(currentTable(this.#database, 'users'))
      .leftJoin(logged, 'logged.user_id', 'users.id');
  }

  async #setAside(): Promise<number> {
    const { entries } = await this.#database
      .selectFrom('set_aside_charges')
      .select(({ fn }) => fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow();
    return entries;
  }

  /** Largest drift first. */
  #offenders(evidence: Evidence) {
    return this.#users(evidence)
      .select(['users.id', 'users.username', drift.as('drift'), logDrift.as('log_drift')])
      .where((where) => where.or([where(drift, '!=', 0), where(logDrift, '!=', 0)]))
      .orderBy(sql`abs(${drift}) + abs(${logDrift})`, 'desc')
      .orderBy('users.id')
      .limit(maxOffenders)
      .execute();
  }
}
