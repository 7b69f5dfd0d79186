import { type BudgetKind, isNamedBudgetKind, windowPeriods } from '@headgate/contract';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';

/** Owner of a budget: an id, or the name of a group or tag. */
export interface BudgetOwner {
  readonly kind: BudgetKind | 'plan';
  readonly name: number | string;
}

/** Reads budgets for the in-memory table and starts their periods. */
export class BudgetPeriodRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Enabled budgets of all owners, in one statement because most owners have none. Skips budgets with a period type
   * added by a later version.
   */
  of(owners: readonly BudgetOwner[]) {
    return this.#database
      .selectFrom('budgets')
      .select(['id', 'owner_kind', 'owner_id', 'owner_group', 'amount', 'period', 'time_zone', 'hours', 'created_time'])
      .where('enabled', '=', 1)
      .where('period', 'in', windowPeriods)
      .where((where) =>
        where.or(
          owners.map(({ kind, name }) =>
            where.and([
              where('owner_kind', '=', kind),
              isNamedBudgetKind(kind) ? where('owner_group', '=', String(name)) : where('owner_id', '=', Number(name)),
            ]),
          ),
        ),
      )
      .orderBy('id')
      .execute();
  }

  /** Tags with enabled budgets. */
  async tags(): Promise<string[]> {
    const rows = await this.#database
      .selectFrom('budgets')
      .select('owner_group')
      .distinct()
      .where('owner_kind', '=', 'tag')
      .where('enabled', '=', 1)
      .execute();
    return rows.map(({ owner_group }) => owner_group);
  }

  /** The most recent period and its usage. */
  latest(budget: number) {
    return this.#database
      .selectFrom(currentTable(this.#database, 'budget_periods'))
      .select(['id', 'start_time', 'used'])
      .where('budget_id', '=', budget)
      .orderBy('start_time', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** Does nothing if another process has already started the period. */
  async begin(budget: number, start: number): Promise<void> {
    await this.#database
      .insertInto('budget_periods')
      .values({ budget_id: budget, start_time: start })
      .onConflict((conflict) => conflict.columns(['budget_id', 'start_time']).doNothing())
      .execute();
  }
}

export type BudgetPeriodRow = Awaited<ReturnType<BudgetPeriodRepository['of']>>[number];
