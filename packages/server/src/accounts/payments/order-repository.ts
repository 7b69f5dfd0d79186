import {
  currencyNames,
  type OrderFilter,
  orderProviderNames,
  orderStateNames,
  paymentProviderNames,
} from '@headgate/contract';
import { type ExpressionBuilder, type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import { databaseNowMs } from '../../platform/db/live-nodes.ts';
import { lockName } from '../../platform/db/locks.ts';
import { containsText, type PageRequest, readPage } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { parseDocumentNumber } from './document-number.ts';

export type OrderRow = Selectable<Schema['orders']>;
export type NewOrder = Insertable<Schema['orders']>;
/** The row and the name of its account; null if the account was deleted. */
export type NamedOrderRow = OrderRow & { readonly username: string | null };

/** Larger than the difference between the clocks of nodes, in seconds. Later times were stored by a wrong clock. */
export const clockTolerance = 3600;
/** Time of the last regular query after the order, in seconds: no query is planned further ahead. */
export const maxCheckWait = 25 * 3600;

export class OrderRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): OrderRepository {
    return new OrderRepository(transaction.database);
  }

  insert(order: NewOrder): Promise<OrderRow> {
    return this.#database.insertInto('orders').values(order).returningAll().executeTakeFirstOrThrow();
  }

  update(id: number, change: Updateable<Schema['orders']>): Promise<OrderRow> {
    return this.#database
      .updateTable('orders')
      .set(change)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** Newest first. Orders with values of a later version are left to nodes that support them. */
  page({ keyword, state, provider, account_id, ...page }: OrderFilter & PageRequest) {
    let query = this.#named();
    if (state !== undefined) query = query.where('orders.state', '=', state);
    if (provider !== undefined) query = query.where('orders.provider', '=', provider);
    if (account_id !== undefined) query = query.where('orders.account_id', '=', account_id);
    const document = parseDocumentNumber(keyword);
    if (keyword !== '')
      query = query.where((where) =>
        where.or([
          where('orders.number', '=', keyword),
          where('orders.payment_id', '=', keyword),
          where('orders.charge_id', '=', keyword),
          ...(document ? [hasDocument(where, document)] : []),
          containsText(where, 'users.username', keyword),
        ]),
      );
    return readPage(query.orderBy('orders.id', 'desc'), page);
  }

  find(id: number): Promise<NamedOrderRow | undefined> {
    return this.#named().where('orders.id', '=', id).executeTakeFirst();
  }

  ofAccount(accountId: number, page: PageRequest) {
    const query = this.#known().selectAll('orders').where('account_id', '=', accountId);
    return readPage(query.orderBy('id', 'desc'), page);
  }

  /** Orders of an account that were paid, or have a credit note, in a period and have an invoice; oldest first. */
  invoicedWithin(accountId: number, { from, to }: { readonly from: number; readonly to: number }): Promise<OrderRow[]> {
    return this.#known()
      .selectAll('orders')
      .where('account_id', '=', accountId)
      .where('invoice_terms', '<>', '')
      .where((where) =>
        where.or([
          where.between('paid_time', from, to),
          where(
            'orders.id',
            'in',
            where
              .selectFrom('credit_notes')
              .select('order_id')
              .where('created_time', '>=', from)
              .where('created_time', '<=', to),
          ),
        ]),
      )
      .orderBy('orders.id')
      .execute();
  }

  findOwn(accountId: number, number: string): Promise<OrderRow | undefined> {
    return this.#known()
      .selectAll('orders')
      .where('number', '=', number)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
  }

  /**
   * Open orders of an account, which may still be paid, and its failed orders since a time. Concurrent counts wait
   * until the transaction ends.
   */
  async countOpenLocked(
    accountId: number,
    { failedSince, now }: { failedSince: number; now: number },
  ): Promise<number> {
    await lockName(this.#database, `open orders ${accountId}`);
    const { count } = await this.#database
      .selectFrom('orders')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where((where) =>
        where.or([
          where('state', 'in', ['created', 'pending']),
          where.and([
            where('state', '=', 'failed'),
            where('created_time', '>', failedSince),
            where('created_time', '<=', now + clockTolerance),
          ]),
        ]),
      )
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Records a query of the provider; false if there was one after this time. */
  async noteCheck(id: number, { now, after }: { readonly now: number; readonly after: number }): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('orders')
      .set({ checked_time: now })
      .where('id', '=', id)
      .where((where) =>
        where.or([where('checked_time', '<=', after), where('checked_time', '>', now + clockTolerance)]),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** Finds and locks an order by its number, or by either id of its payment. */
  findLocked(
    by: { readonly number: string } | { readonly provider: OrderRow['provider']; readonly paymentId: string },
  ) {
    const query = this.#database.selectFrom('orders').selectAll().forUpdate();
    if ('number' in by) return query.where('number', '=', by.number).executeTakeFirst();
    if (by.paymentId === '') return undefined;
    return query
      .where('provider', '=', by.provider)
      .where((where) => where.or([where('payment_id', '=', by.paymentId), where('charge_id', '=', by.paymentId)]))
      .executeTakeFirst();
  }

  /** True if another order has paid this period of a subscription. */
  async isPeriodPaid(subscriptionId: number, start: number): Promise<boolean> {
    const paid = this.#database.selectFrom('orders').select('id').where('subscription_id', '=', subscriptionId);
    return (await paid.where('period_start', '=', start).executeTakeFirst()) !== undefined;
  }

  /** The number after the last invoice with a prefix. Concurrent calls wait until the transaction ends. */
  async nextInvoice(prefix: string): Promise<number> {
    await lockName(this.#database, 'invoice numbers');
    const { last } = await this.#database
      .selectFrom('orders')
      .select(({ fn }) => fn.max('invoice_seq').as('last'))
      .where('invoice_prefix', '=', prefix)
      .where('invoice_seq', '>', 0)
      .executeTakeFirstOrThrow();
    return Number(last ?? 0) + 1;
  }

  /**
   * Serializes events of one payment, by its ids, until the transaction ends. An order that is not yet known to be paid cannot be
   * found and locked by its payment.
   */
  async lockPayments(provider: OrderRow['provider'], paymentIds: readonly string[]): Promise<void> {
    for (const id of paymentIds) if (id !== '') await lockName(this.#database, `payment ${provider} ${id}`);
  }

  /**
   * Leases the order that is due to be queried first. Times further ahead than any wait were stored before the clock
   * was set back.
   */
  lease(now: number, leaseMs: number): Promise<OrderRow | undefined> {
    // Nodes' clocks differ, so leases use the database's.
    const clock = isPostgres(this.#database) ? databaseNowMs : sql<number>`${Date.now()}`;
    const due = this.#database
      .selectFrom('orders')
      .select('id')
      .where('state', 'in', ['created', 'pending'])
      .where('provider', 'in', paymentProviderNames)
      .where((where) =>
        where.or([where('next_check_time', '<=', now), where('next_check_time', '>', now + maxCheckWait)]),
      )
      .where((where) =>
        where.or([where('leased_ms', '<=', clock), where('leased_ms', '>', sql<number>`${clock} + ${leaseMs}`)]),
      )
      .orderBy('next_check_time')
      .orderBy('id')
      .limit(1);
    const mine = isPostgres(this.#database) ? due.forUpdate().skipLocked() : due;
    return this.#database
      .updateTable('orders')
      .set({ leased_ms: sql<number>`${clock} + ${leaseMs}` })
      .where('id', 'in', mine)
      .returningAll()
      .executeTakeFirst();
  }

  /** Number of orders by state. */
  countByState(): Promise<{ state: OrderRow['state']; count: number }[]> {
    return this.#database
      .selectFrom('orders')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute();
  }

  #known() {
    return this.#database
      .selectFrom('orders')
      .where('orders.provider', 'in', orderProviderNames)
      .where('orders.currency', 'in', currencyNames)
      .where('orders.state', 'in', orderStateNames);
  }

  #named() {
    return this.#known()
      .leftJoin('users', 'users.id', 'orders.account_id')
      .selectAll('orders')
      .select('users.username');
  }
}

/** Matches the order with an invoice or a credit note of this number. */
const hasDocument = (
  where: ExpressionBuilder<Schema, 'orders'>,
  { prefix, seq }: { readonly prefix: string; readonly seq: number },
) =>
  where.or([
    where.and([where('orders.invoice_prefix', '=', prefix), where('orders.invoice_seq', '=', seq)]),
    where(
      'orders.id',
      'in',
      where.selectFrom('credit_notes').select('order_id').where('prefix', '=', prefix).where('seq', '=', seq),
    ),
  ]);
