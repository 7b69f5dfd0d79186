import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { upToDate } from '../../platform/db/up-to-date.ts';

/** Which shares of budgets were reached, and which of them somebody was told of. */
export class BudgetNoticeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): BudgetNoticeRepository {
    return new BudgetNoticeRepository(transaction.database);
  }

  /**
   * What was used of these periods, or of all, where the budget is still there and more is used than was told. Of each budget the
   * latest alone: what is over nobody can do anything about, and the amount may have been another one then.
   */
  reached(periods: readonly number[] | undefined) {
    const all = this.#database
      .selectFrom(upToDate(this.#database, 'budget_periods'))
      .innerJoin('budgets', 'budgets.id', 'budget_periods.budget_id')
      .select(['budget_periods.id', 'budget_id', 'used', 'noticed', 'amount'])
      .where('enabled', '=', 1)
      .where('noticed', '<', 100)
      .where(
        'budget_periods.id',
        '=',
        sql<number>`(select latest.id from budget_periods as latest where latest.budget_id = budgets.id
          order by latest.start_time desc limit 1)`,
      )
      .where(({ eb }) => eb(eb('used', '*', 100), '>=', eb('amount', '*', 50)));
    return (periods === undefined ? all : all.where('budget_periods.id', 'in', periods)).execute();
  }

  /** False where another node has told it. */
  async mark(period: number, percent: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('budget_periods')
      .set({ noticed: percent })
      .where('id', '=', period)
      .where('noticed', '<', percent)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
}
