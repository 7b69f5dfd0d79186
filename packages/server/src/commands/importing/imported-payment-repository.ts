import { type Insertable, sql } from 'kysely';
import { windowAt } from '../../accounts/budgets/budget-period.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { inParts } from './in-parts.ts';

interface ExistingPayments {
  readonly planNames: ReadonlySet<string>;
  readonly orderNumbers: ReadonlySet<string>;
}

/** Reads and writes what an import of plans and orders needs besides their repositories. */
export class ImportedPaymentRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ImportedPaymentRepository {
    return new ImportedPaymentRepository(transaction.database);
  }

  async existing(): Promise<ExistingPayments> {
    const plans = await this.#database.selectFrom('plans').select('name').execute();
    const orders = await this.#database.selectFrom('orders').select('number').execute();
    return {
      planNames: new Set(plans.map(({ name }) => name)),
      orderNumbers: new Set(orders.map(({ number }) => number)),
    };
  }

  /** Returns ids by order number. */
  async insertOrders(orders: readonly Insertable<Schema['orders']>[]): Promise<ReadonlyMap<string, number>> {
    const ids = new Map<string, number>();
    for (const part of inParts(orders)) {
      const query = this.#database.insertInto('orders').values([...part]);
      for (const { id, number } of await query.returning(['id', 'number']).execute()) ids.set(number, id);
    }
    return ids;
  }

  /** Counts points that were used before the import in the current periods of a plan, as its charges would. */
  async setUsed(userId: number, planId: number, { used, now }: { readonly used: number; readonly now: number }) {
    const windows = await this.#database
      .selectFrom('budgets')
      .select(['id', 'period', 'hours', 'time_zone', 'created_time'])
      .where('owner_kind', '=', 'plan')
      .where('owner_id', '=', planId)
      .execute();
    for (const window of windows) {
      const start_time = windowAt(window, now).start;
      await this.#database.insertInto('budget_periods').values({ budget_id: window.id, start_time, used }).execute();
      await this.#database
        .updateTable('users')
        .set({ budgeted_quota: sql`budgeted_quota + ${used}` })
        .where('id', '=', userId)
        .execute();
    }
  }
}
