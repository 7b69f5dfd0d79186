import { type Ledger, logType } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { upToDate } from '../../platform/db/up-to-date.ts';

const mostOffenders = 100;

/** What was given to a user and is neither used nor left; nothing is reserved while no request runs. */
const drift = sql<number>`(users.credited - users.used_quota - users.quota)`;

/** What was used and is neither in the log nor known to be missing there. */
const logDrift = sql<number>`(users.used_quota - users.unlogged_quota - coalesce(logged.quota, 0))`;

/** As floating point: a sum too large for the database's integers would be an error where a large number will do. */
const total = (value: typeof drift) => sql<number | null>`sum(abs(${value}) * 1.0)`;

const withinBounds = (sum: number | null) => Math.min(sum ?? 0, Number.MAX_SAFE_INTEGER);

/** What users consumed, by the rows of the log or by their sums, which are quicker. */
type Evidence = 'rows' | 'sums';

export class LedgerRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds up the books of every user, the deleted ones included: their quota was given too. */
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
   * Each charge says how much of it went to budgets, in the row of its user and in those of the periods; in one statement, so
   * that both are of the same moment. Periods of deleted budgets stay.
   */
  async #budgetDrift(): Promise<number> {
    const users = this.#database
      .selectFrom(upToDate(this.#database, 'users'))
      .select(sql<number>`coalesce(sum(budgeted_quota * 1.0), 0)`.as('quota'));
    const periods = this.#database
      .selectFrom(upToDate(this.#database, 'budget_periods'))
      .select(sql<number>`coalesce(sum(used * 1.0), 0)`.as('quota'));
    const { off } = await this.#database
      .selectNoFrom(sql<number>`${users} - ${periods}`.as('off'))
      .executeTakeFirstOrThrow();
    return Math.sign(off) * withinBounds(Math.abs(off));
  }

  /** The first half of the check, which is cheap. */
  async checkBalances(): Promise<Pick<Ledger, 'drift' | 'set_aside'>> {
    const { off } = await this.#database
      .selectFrom(upToDate(this.#database, 'users'))
      .select(total(drift).as('off'))
      .executeTakeFirstOrThrow();
    return { drift: withinBounds(off), set_aside: await this.#setAside() };
  }

  /** All users beside what the log says of each; in one statement, so that both are of the same moment. */
  #users(evidence: Evidence) {
    const logged = this.#database
      .selectFrom(evidence === 'rows' ? 'logs' : upToDate(this.#database, 'usage_days'))
      .select(({ fn }) => ['user_id', fn.sum<number>('quota').as('quota')])
      .where('type', '=', logType.consumption)
      .groupBy('user_id')
      .as('logged');
    return this.#database.selectFrom(upToDate(this.#database, 'users')).leftJoin(logged, 'logged.user_id', 'users.id');
  }

  async #setAside(): Promise<number> {
    const { entries } = await this.#database
      .selectFrom('set_aside_charges')
      .select(({ fn }) => fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow();
    return entries;
  }

  /** The worst first. */
  #offenders(evidence: Evidence) {
    return this.#users(evidence)
      .select(['users.id', 'users.username', drift.as('drift'), logDrift.as('log_drift')])
      .where((where) => where.or([where(drift, '!=', 0), where(logDrift, '!=', 0)]))
      .orderBy(sql`abs(${drift}) + abs(${logDrift})`, 'desc')
      .orderBy('users.id')
      .limit(mostOffenders)
      .execute();
  }
}
