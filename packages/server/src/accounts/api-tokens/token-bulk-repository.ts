import { maxBulkRows, type TokenFilter } from '@headgate/contract';
import type { Selectable } from 'kysely';
import { currentTable, filterByIds } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { lockOwnerRows } from '../../platform/db/locks.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { updateMany } from '../../platform/db/update-many.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { BulkRows, RowSelection } from '../../records/bulk/column-bulk-service.ts';
import { filterTokens } from './token-repository.ts';

/** A token row with its stored status, which ignores expiry and used-up quota. */
export type StoredToken = Selectable<Schema['tokens']>;

export class TokenBulkRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  of(userId: number, transaction: Transaction | undefined): BulkRows<StoredToken, TokenFilter> {
    const database = transaction?.database ?? this.#database;
    const chosenOf = (chosen: RowSelection<TokenFilter>) => {
      const own = database.selectFrom(currentTable(database, 'tokens')).where('user_id', '=', userId);
      const some =
        'ids' in chosen ? own.where('id', 'in', chosen.ids) : filterTokens(own, chosen.filter, nowInSeconds());
      return some.orderBy('id').limit(maxBulkRows + 1);
    };
    return {
      read: (chosen) => chosenOf(chosen).selectAll().execute(),
      lock: async (chosen) => {
        const ids = await lockOwnerRows(database, 'tokens', chosenOf(chosen).select('id'));
        return chosenOf(chosen)
          .selectAll()
          .where((where) => filterByIds(where, ids))
          .execute();
      },
      update: (rows) => updateMany(database, 'tokens', rows),
      remove: async (ids) => {
        await database.deleteFrom('tokens').where('user_id', '=', userId).where('id', 'in', ids).execute();
      },
    };
  }
}
