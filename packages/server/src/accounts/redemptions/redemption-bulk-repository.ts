import { maxBulkRows, type RedemptionFilter } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { updateMany } from '../../platform/db/update-many.ts';
import type { BulkRows, RowSelection } from '../../records/bulk/column-bulk-service.ts';
import { filterCodes, type RedemptionRow } from './redemption-repository.ts';

export class RedemptionBulkRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  in(transaction: Transaction | undefined): BulkRows<RedemptionRow, RedemptionFilter> {
    const database = transaction?.database ?? this.#database;
    const chosenOf = (chosen: RowSelection<RedemptionFilter>) => {
      const all = database.selectFrom('redemptions').selectAll();
      const some = 'ids' in chosen ? all.where('id', 'in', chosen.ids) : filterCodes(all, chosen.filter);
      return some.orderBy('id').limit(maxBulkRows + 1);
    };
    return {
      read: (chosen) => chosenOf(chosen).execute(),
      lock: (chosen) => chosenOf(chosen).forUpdate().execute(),
      update: (rows) => updateMany(database, 'redemptions', rows),
      remove: async (ids) => {
        await database.deleteFrom('redemptions').where('id', 'in', ids).execute();
      },
    };
  }
}
