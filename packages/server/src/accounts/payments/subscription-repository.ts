import { paymentProviderNames } from '@headgate/contract';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import { databaseNowMs } from '../../platform/db/live-nodes.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type SubscriptionRow = Selectable<Schema['subscriptions']>;
type NewSubscription = Insertable<Schema['subscriptions']>;

const hour = 3600;
/** Stripe collects the payment of a period about an hour after its start. */
export const afterPeriodSeconds = 2 * hour;
/** Interval of queries while the next period is not paid. */
export const unpaidSeconds = 6 * hour;

export class SubscriptionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): SubscriptionRepository {
    return new SubscriptionRepository(transaction.database);
  }

  /** Undefined if the provider's subscription, or another one of the order, already exists. */
  insert(row: NewSubscription): Promise<SubscriptionRow | undefined> {
    return this.#database
      .insertInto('subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
  }

  update(id: number, change: Updateable<Schema['subscriptions']>): Promise<SubscriptionRow> {
    return this.#database
      .updateTable('subscriptions')
      .set(change)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  find(id: number): Promise<SubscriptionRow | undefined> {
    return this.#database.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst();
  }

  findLocked(provider: SubscriptionRow['provider'], providerId: string): Promise<SubscriptionRow | undefined> {
    return this.#database
      .selectFrom('subscriptions')
      .selectAll()
      .where('provider', '=', provider)
      .where('provider_id', '=', providerId)
      .forUpdate()
      .executeTakeFirst();
  }

  /** Makes failing subscriptions of an account's plan due to be queried. */
  async makeFailingDue({ account_id, plan_id }: { account_id: number; plan_id: number }, now: number): Promise<void> {
    const first = this.#database.selectFrom('orders').select('id').where('plan_id', '=', plan_id);
    await this.#database
      .updateTable('subscriptions')
      .set({ next_check_time: now })
      .where('account_id', '=', account_id)
      .where('state', '=', 'past_due')
      .where('order_id', 'in', first.where('account_id', '=', account_id))
      .execute();
  }

  /** True if the account has started a later subscription to the same plan, which is paid. */
  async isReplaced({ id, account_id, order_id }: SubscriptionRow): Promise<boolean> {
    const later = await this.#database
      .selectFrom('subscriptions')
      .innerJoin('orders', 'orders.id', 'subscriptions.order_id')
      .select('subscriptions.id')
      .where('subscriptions.account_id', '=', account_id)
      .where('subscriptions.id', '>', id)
      .where('subscriptions.state', '=', 'active')
      .where('orders.plan_id', 'in', (where) => where.selectFrom('orders').select('plan_id').where('id', '=', order_id))
      .executeTakeFirst();
    return later !== undefined;
  }

  /** The order of the latest paid period. */
  lastPaid(id: number) {
    return this.#database
      .selectFrom('orders')
      .selectAll()
      .where('subscription_id', '=', id)
      .where('payment_id', '<>', '')
      .orderBy('period_start', 'desc')
      .executeTakeFirst();
  }

  /**
   * Leases the subscription that is due to be queried first. Times further ahead than both the end of the period and
   * the interval of queries were stored before the clock was set back.
   */
  lease(now: number, leaseMs: number): Promise<SubscriptionRow | undefined> {
    // Nodes' clocks differ, so leases use the database's.
    const clock = isPostgres(this.#database) ? databaseNowMs : sql<number>`${Date.now()}`;
    const due = this.#database
      .selectFrom('subscriptions')
      .select('id')
      .where('state', '<>', 'ended')
      .where('provider', 'in', paymentProviderNames)
      .where((where) =>
        where.or([
          where('next_check_time', '<=', now),
          where.and([
            where('next_check_time', '>', now + unpaidSeconds),
            where('next_check_time', '>', sql<number>`period_end + ${afterPeriodSeconds}`),
          ]),
        ]),
      )
      .where((where) =>
        where.or([where('leased_ms', '<=', clock), where('leased_ms', '>', sql<number>`${clock} + ${leaseMs}`)]),
      )
      .orderBy('next_check_time')
      .orderBy('id')
      .limit(1);
    const mine = isPostgres(this.#database) ? due.forUpdate().skipLocked() : due;
    return this.#database
      .updateTable('subscriptions')
      .set({ leased_ms: sql<number>`${clock} + ${leaseMs}` })
      .where('id', 'in', mine)
      .returningAll()
      .executeTakeFirst();
  }
}
