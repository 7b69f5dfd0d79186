import { maxViewsPerList, type SavedView } from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ViewRepository } from './view-repository.ts';

/** Saved views of lists, limited per user and list. */
export class ViewService {
  readonly #views: ViewRepository;
  readonly #inTransaction: InTransaction;

  constructor(views: ViewRepository, inTransaction: InTransaction) {
    this.#views = views;
    this.#inTransaction = inTransaction;
  }

  of(userId: number, list: string): Promise<SavedView[]> {
    return this.#views.of(userId, list);
  }

  save(userId: number, list: string, view: SavedView): Promise<void> {
    return this.#inTransaction(async (transaction) => {
      const views = this.#views.within(transaction);
      if ((await views.countOthers(userId, list, view.name)) >= maxViewsPerList) {
        throw new ApiError('tooManyViews', { max: String(maxViewsPerList) });
      }
      await views.save(userId, list, view);
    });
  }

  remove(userId: number, list: string, name: string): Promise<void> {
    return this.#views.remove(userId, list, name);
  }

  /** Called when an account is closed. */
  removeAll(transaction: Transaction, userId: number): Promise<void> {
    return this.#views.within(transaction).removeAll(userId);
  }
}
