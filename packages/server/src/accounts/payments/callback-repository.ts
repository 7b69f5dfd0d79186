import { callbackSources, callbackVerdictNames, type OrderProviderName, orderProviderNames } from '@headgate/contract';
import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { type PageRequest, readPage } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type CallbackRow = Selectable<Schema['payment_callbacks']>;
export type NewCallback = Omit<Insertable<Schema['payment_callbacks']>, 'id'>;

/** Callbacks stored per order and verdict, and callbacks stored without an order. */
const maxOfOrder = 50;
const maxWithoutOrder = 1000;

export class CallbackRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): CallbackRepository {
    return new CallbackRepository(transaction.database);
  }

  /** Stores a callback and deletes the oldest ones above the limit. */
  async insert(callback: NewCallback): Promise<void> {
    await this.#database.insertInto('payment_callbacks').values(callback).execute();
    const { order_id, verdict } = callback;
    const same = this.#database
      .selectFrom('payment_callbacks')
      .select('id')
      .where('order_id', '=', order_id)
      .where('verdict', '=', verdict)
      .orderBy('id', 'desc')
      .limit(1)
      .offset(order_id === 0 ? maxWithoutOrder : maxOfOrder);
    await this.#database
      .deleteFrom('payment_callbacks')
      .where('order_id', '=', order_id)
      .where('verdict', '=', verdict)
      .where('id', '<=', same)
      .execute();
  }

  /** Newest first. */
  page(page: PageRequest) {
    return readPage(this.#known().orderBy('id', 'desc'), page);
  }

  /** Newest first. */
  ofOrder(orderId: number, max: number): Promise<CallbackRow[]> {
    return this.#known().where('order_id', '=', orderId).orderBy('id', 'desc').limit(max).execute();
  }

  /** Refunds and disputes of a payment that arrived before its order was known to be paid. */
  early(provider: OrderProviderName, paymentId: string): Promise<CallbackRow[]> {
    return this.#database
      .selectFrom('payment_callbacks')
      .selectAll()
      .where('provider', '=', provider)
      .where('payment_id', '=', paymentId)
      .where('verdict', 'in', ['unknown_order', 'ignored'])
      .orderBy('id')
      .execute();
  }

  /** Callbacks with values of a later version are left to nodes that support them. */
  #known() {
    return this.#database
      .selectFrom('payment_callbacks')
      .selectAll()
      .where('provider', 'in', orderProviderNames)
      .where('source', 'in', callbackSources)
      .where('verdict', 'in', callbackVerdictNames);
  }
}
