import { type PlanWindow, type UserPlanState, userPlanStateNames, windowPeriods } from '@headgate/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { type PageRequest, readPage } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type UserPlanRow = Selectable<Schema['user_plans']>;
/** The row and its subscription; null without one. */
export type SubscribedPlanRow = UserPlanRow & {
  readonly subscription_state: Selectable<Schema['subscriptions']>['state'] | null;
  readonly renews: number | null;
  readonly period_end: number | null;
};
/** With the name of the user; null if the account was deleted. */
export type NamedUserPlanRow = SubscribedPlanRow & { readonly username: string | null };

interface NewUserPlan extends Insertable<Schema['user_plans']> {
  readonly windows: readonly PlanWindow[];
  readonly time_zone: string;
}

interface Filter extends PageRequest {
  readonly user_id?: number | undefined;
  readonly plan_id?: number | undefined;
}

interface EndingPlans {
  readonly from: number;
  readonly until: number;
  readonly minSeconds: number;
}

/** Plans of users. Each window is a budget of kind `plan`, which is never deleted. */
export class UserPlanRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): UserPlanRepository {
    return new UserPlanRepository(transaction.database);
  }

  async insert({ windows, time_zone, ...row }: NewUserPlan): Promise<UserPlanRow> {
    const added = await this.#database.insertInto('user_plans').values(row).returningAll().executeTakeFirstOrThrow();
    const budgets = windows.map(({ period, hours, amount }) => ({
      owner_kind: 'plan' as const,
      owner_id: added.id,
      owner_group: '',
      amount,
      period,
      hours,
      time_zone,
      enabled: 1,
      note: '',
      // Rolling windows follow each other from this time.
      created_time: added.starts_time,
    }));
    await this.#database.insertInto('budgets').values(budgets).execute();
    return added;
  }

  /** Newest first. */
  page({ user_id, plan_id, ...page }: Filter) {
    let query = this.#named();
    if (user_id !== undefined) query = query.where('user_id', '=', user_id);
    if (plan_id !== undefined) query = query.where('plan_id', '=', plan_id);
    return readPage(query.orderBy('user_plans.id', 'desc'), page);
  }

  /** Valid plans of a user, in the order in which they pay. */
  valid(userId: number, now: number): Promise<SubscribedPlanRow[]> {
    return this.#subscribed()
      .where('user_id', '=', userId)
      .where('user_plans.state', '=', 'active')
      .where('ends_time', '>', now)
      .orderBy('ends_time')
      .orderBy('user_plans.id')
      .execute();
  }

  /** Marks plans of at least a minimum length that end soon, and returns those that were not marked before. */
  markEnding({ from, until, minSeconds }: EndingPlans): Promise<UserPlanRow[]> {
    return this.#database
      .updateTable('user_plans')
      .set({ ending_notified: 1 })
      .where('ending_notified', '=', 0)
      .where('state', '=', 'active')
      .where('ends_time', '>', from)
      .where('ends_time', '<=', until)
      .where(sql<number>`ends_time - starts_time`, '>=', minSeconds)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('subscriptions')
              .select('id')
              .whereRef('subscriptions.id', '=', 'user_plans.subscription_id')
              .where('subscriptions.state', '=', 'active')
              .where('renews', '=', 1),
          ),
        ),
      )
      .returningAll()
      .execute();
  }

  find(id: number): Promise<NamedUserPlanRow | undefined> {
    return this.#named().where('user_plans.id', '=', id).executeTakeFirst();
  }

  findLocked(id: number): Promise<UserPlanRow | undefined> {
    return this.#database.selectFrom('user_plans').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  }

  ofOrder(orderId: number): Promise<UserPlanRow | undefined> {
    return this.#database
      .selectFrom('user_plans')
      .selectAll()
      .where('order_id', '=', orderId)
      .forUpdate()
      .executeTakeFirst();
  }

  /**
   * Sets the ends of the plans of a subscription: each ends with its period, and the last one ends later while the
   * payment of the next period is expected.
   */
  async setEnds(subscriptionId: number, graceSeconds: number): Promise<void> {
    const subscription = await this.#database
      .selectFrom('subscriptions')
      .select(['state', 'renews'])
      .where('id', '=', subscriptionId)
      .executeTakeFirst();
    const plans = await this.#database
      .selectFrom('user_plans')
      .innerJoin('orders', 'orders.id', 'user_plans.order_id')
      .select(['user_plans.id', 'ends_time', 'orders.period_end'])
      .where('user_plans.subscription_id', '=', subscriptionId)
      .orderBy('orders.period_start')
      .orderBy('user_plans.id')
      .execute();
    const isRenewed = subscription !== undefined && subscription.state !== 'ended' && subscription.renews === 1;
    for (const [index, { id, ends_time, period_end }] of plans.entries()) {
      const end = period_end + (isRenewed && index === plans.length - 1 ? graceSeconds : 0);
      if (end !== ends_time)
        await this.#database.updateTable('user_plans').set({ ends_time: end }).where('id', '=', id).execute();
    }
  }

  async setState(id: number, state: UserPlanState, note?: string): Promise<void> {
    const change = note === undefined ? { state } : { state, note };
    await this.#database.updateTable('user_plans').set(change).where('id', '=', id).execute();
  }

  /** Valid plans of this kind, and unpaid orders of it. */
  async countHeld(userId: number, planId: number, now: number): Promise<number> {
    const held = await this.#database
      .selectFrom('user_plans')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('plan_id', '=', planId)
      .where('state', '=', 'active')
      .where('ends_time', '>', now)
      .executeTakeFirstOrThrow();
    const ordered = await this.#database
      .selectFrom('orders')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', userId)
      .where('plan_id', '=', planId)
      .where('state', 'in', ['created', 'pending'])
      .executeTakeFirstOrThrow();
    return held.count + ordered.count;
  }

  /** Windows of plans with their latest periods. */
  windowsOf(ids: readonly number[]) {
    return this.#database
      .selectFrom('budgets')
      .leftJoin(currentTable(this.#database, 'budget_periods'), (join) =>
        join.on(
          'budget_periods.id',
          '=',
          sql<number>`(select latest.id from budget_periods as latest where latest.budget_id = budgets.id
            order by latest.start_time desc limit 1)`,
        ),
      )
      .select(['owner_id', 'amount', 'period', 'hours', 'time_zone', 'budgets.created_time'])
      .select(['start_time', 'used'])
      .where('owner_kind', '=', 'plan')
      .where('owner_id', 'in', ids)
      .where('period', 'in', windowPeriods)
      .orderBy('budgets.id')
      .execute();
  }

  /** Plans with a state of a later version are left to nodes that support it. */
  #subscribed() {
    return this.#database
      .selectFrom('user_plans')
      .leftJoin('subscriptions', 'subscriptions.id', 'user_plans.subscription_id')
      .selectAll('user_plans')
      .select(['subscriptions.state as subscription_state', 'subscriptions.renews', 'subscriptions.period_end'])
      .where('user_plans.state', 'in', userPlanStateNames);
  }

  #named() {
    return this.#subscribed().leftJoin('users', 'users.id', 'user_plans.user_id').select('users.username');
  }
}

export type WindowRow = Awaited<ReturnType<UserPlanRepository['windowsOf']>>[number];
