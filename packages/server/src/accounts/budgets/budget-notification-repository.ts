import { type Selectable, sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

interface DueNotification
  extends Pick<Selectable<Schema['budget_periods']>, 'id' | 'budget_id' | 'used' | 'noticed'>,
    Pick<Selectable<Schema['budgets']>, 'amount'> {}

/** Budget thresholds: those reached and those already notified. */
export class BudgetNotificationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): BudgetNotificationRepository {
    return new BudgetNotificationRepository(transaction.database);
  }

  /**
   * Usage of these periods, or of all periods, for enabled budgets with a threshold that has not been notified yet.
   * Reads only the latest period of each budget: earlier periods are over and may have had a different amount.
   */
  reached(periods: readonly number[] | undefined): Promise<DueNotification[]> {
    const all = this.#database
      .selectFrom(currentTable(this.#database, 'budget_periods'))
      .innerJoin('budgets', 'budgets.id', 'budget_periods.budget_id')
      .select(['budget_periods.id', 'budget_id', 'used', 'noticed', 'amount'])
      .where('enabled', '=', 1)
      .where('owner_kind', '<>', 'plan')
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

  /** False when another node has already sent the notification. */
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
