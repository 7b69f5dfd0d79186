import { amountText, logType, type OwnPlan, type Parsed, type UserPlan, type userPlanApi } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { secondsPerDay } from '../../records/logs/hours.ts';
import { type LogService, userEvent } from '../../records/logs/log-service.ts';
import { requireHigherRole } from '../users/user-authority.ts';
import type { UserService } from '../users/user-service.ts';
import type { Grant, PlanOrder, Validity } from './granted-plan.ts';
import type { PlanRepository } from './plan-repository.ts';
import { presentOwnPlan, presentUserPlan, readTerms, termsOf } from './plan-values.ts';
import type { UserPlanRepository, UserPlanRow } from './user-plan-repository.ts';

type Listing = Parsed<typeof userPlanApi.list>['query'];
type Assignment = Parsed<typeof userPlanApi.assign>['body'];

interface UserPlanServiceDependencies {
  readonly plans: PlanRepository;
  readonly userPlans: UserPlanRepository;
  readonly users: UserService;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly now: () => number;
}

/**
 * How long the plan of a period remains valid while the payment of the next one is expected. Stripe collects it about
 * an hour after the start of the period.
 */
const graceSeconds = 6 * 3600;

const tooManyPlans = 'the user already has the maximum number of these plans';

/** Plans of users: bought, or assigned by an admin. */
export class UserPlanService {
  readonly #dependencies: UserPlanServiceDependencies;

  constructor(dependencies: UserPlanServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async page(listing: Listing): Promise<{ rows: UserPlan[]; total: number }> {
    const { userPlans, now } = this.#dependencies;
    const { rows, total } = await userPlans.page(listing);
    const windows = await this.#windowsOf(rows);
    return { rows: rows.map((row) => presentUserPlan(row, windows, now())), total };
  }

  /** Valid plans, in the order in which they pay. */
  async own({ id }: UserRow): Promise<OwnPlan[]> {
    const { userPlans, now } = this.#dependencies;
    const rows = await userPlans.valid(id, now());
    const windows = await this.#windowsOf(rows);
    return rows.map((row) => presentOwnPlan(row, windows, now()));
  }

  assign(admin: UserRow, { user_id, plan_id, days, note }: Assignment): Promise<UserPlan> {
    const { plans, users, logs, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const user = await users.lock(transaction, user_id);
      requireHigherRole(admin, user, 'editEqualOrHigher');
      const plan = await plans.within(transaction).find(plan_id);
      if (!plan) throw new ApiError('notFound');
      const terms = { ...termsOf(plan), ...(days !== undefined && { days }) };
      const added = await this.#grant(transaction, {
        userId: user.id,
        terms,
        orderId: 0,
        createdBy: admin.id,
        note,
      });
      const until = new Date(added.ends_time * 1000).toISOString();
      await logs.record(transaction, userEvent(admin, user, 'plan.assigned', { plan: plan.name, until }));
      return this.#present(transaction, added.id);
    });
  }

  /** Throws if there is no such plan. */
  async require(transaction: Transaction, planId: number): Promise<void> {
    if (!(await this.#dependencies.plans.within(transaction).find(planId))) throw new ApiError('planNotFound');
  }

  /** Grants the plan of a redemption code with its current terms, and returns its name. */
  async redeem(transaction: Transaction, userId: number, planId: number): Promise<string> {
    const plan = await this.#dependencies.plans.within(transaction).find(planId);
    if (!plan) throw new ApiError('planNotFound');
    const limit = plan.max_per_user;
    if (limit > 0 && (await this.countHeldLocked(transaction, userId, planId)) >= limit)
      throw new ApiError('planLimitReached', { limit: String(limit) });
    const terms = termsOf(plan);
    await this.#grant(transaction, { userId, terms, orderId: 0, createdBy: userId, note: '' });
    return plan.name;
  }

  /** Ends a plan. In-flight requests are still charged to it. */
  remove(admin: UserRow, id: number, note: string): Promise<UserPlan> {
    const { users, logs, inTransaction, now } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const userPlans = this.#dependencies.userPlans.within(transaction);
      const found = await userPlans.find(id);
      if (!found) throw new ApiError('notFound');
      // The user is locked first, like for payments.
      const user = await users.findLocked(transaction, found.user_id);
      if (user) requireHigherRole(admin, user, 'editEqualOrHigher');
      const row = await userPlans.findLocked(id);
      if (row?.state !== 'active' || row.ends_time <= now()) throw new ApiError('planEnded');
      await userPlans.setState(id, 'removed', note);
      transaction.changed(`user:${row.user_id}`);
      const values = { plan: row.name, user: user?.username ?? '', note };
      await logs.record(transaction, userEvent(admin, user ?? admin, 'plan.removed', values));
      return this.#present(transaction, id);
    });
  }

  /** Ends a plan of the user without a refund. In-flight requests are still charged to it. */
  cancel({ id: userId }: UserRow, id: number): Promise<OwnPlan> {
    const { users, logs, inTransaction, now } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const userPlans = this.#dependencies.userPlans.within(transaction);
      const user = await users.lock(transaction, userId);
      const row = await userPlans.findLocked(id);
      if (row?.user_id !== user.id) throw new ApiError('notFound');
      if (row.state !== 'active' || row.ends_time <= now()) throw new ApiError('planEnded');
      if ((await this.#presentOwn(transaction, id)).renewal?.renews) throw new ApiError('planRenews');
      await userPlans.setState(id, 'canceled');
      transaction.changed(`user:${user.id}`);
      await logs.record(transaction, {
        type: logType.system,
        event: 'plan.canceled',
        user,
        values: { plan: row.name },
      });
      return this.#presentOwn(transaction, id);
    });
  }

  /** A plan of the user. */
  async ownOne(user: UserRow, id: number): Promise<UserPlanRow> {
    const row = await this.#dependencies.userPlans.find(id);
    if (row?.user_id !== user.id) throw new ApiError('notFound');
    return row;
  }

  /** Subscription of a plan; 0 if it has none. */
  async subscriptionOf(id: number): Promise<number> {
    return (await this.#dependencies.userPlans.find(id))?.subscription_id ?? 0;
  }

  /** Throws if the admin may not end this plan. */
  async requireRemovable(admin: UserRow, id: number): Promise<void> {
    const { userPlans, users } = this.#dependencies;
    const row = await userPlans.find(id);
    if (!row) throw new ApiError('notFound');
    const user = await users.find(row.user_id);
    if (user) requireHigherRole(admin, user, 'editEqualOrHigher');
  }

  /** The plan as shown to its user. */
  present(id: number): Promise<OwnPlan> {
    return this.#dependencies.inTransaction((transaction) => this.#presentOwn(transaction, id));
  }

  async #presentOwn(transaction: Transaction, id: number): Promise<OwnPlan> {
    const userPlans = this.#dependencies.userPlans.within(transaction);
    const row = await userPlans.find(id);
    if (!row) throw new ApiError('notFound');
    return presentOwnPlan(row, await userPlans.windowsOf([id]), this.#dependencies.now());
  }

  /** Sets the ends of the plans of a subscription. */
  async setEnds(transaction: Transaction, userId: number, subscriptionId: number): Promise<void> {
    await this.#dependencies.users.findLocked(transaction, userId);
    await this.#dependencies.userPlans.within(transaction).setEnds(subscriptionId, graceSeconds);
    transaction.changed(`user:${userId}`);
  }

  /**
   * Grants the plan of an order that is paid, or ends it after a refund or during a dispute. Returns the reason why a
   * paid plan could not be granted, or an empty string. Call with the order locked.
   */
  async settle(transaction: Transaction, order: PlanOrder, isOwed: boolean): Promise<string> {
    const { users, logs } = this.#dependencies;
    const userPlans = this.#dependencies.userPlans.within(transaction);
    const user = await users.findLocked(transaction, order.account_id);
    const existing = await userPlans.ofOrder(order.id);
    if (existing) {
      return this.#settleExisting(transaction, existing, { order, user, isOwed });
    }
    if (!isOwed) return '';
    if (!user) return 'the account was deleted';
    if (order.closing !== '' && !(await this.#hasRoom(transaction, order))) return tooManyPlans;
    const terms = readTerms(order.price);
    if (!terms) return 'the stored terms of the plan are unreadable';
    const { period_start: start, period_end: end, subscription_id: subscriptionId } = order;
    const period = end > 0 ? { start, end } : undefined;
    const grant = { userId: user.id, terms, orderId: order.id, createdBy: user.id, note: '', subscriptionId };
    await this.#grant(transaction, { ...grant, ...(period && { period }) });
    if (subscriptionId !== 0) await this.setEnds(transaction, user.id, subscriptionId);
    const values = { plan: terms.name, price: amountText(order.amount, order.currency), number: order.number };
    await logs.record(transaction, { type: logType.topUp, event: 'plan.bought', user, values });
    return '';
  }

  async #settleExisting(
    transaction: Transaction,
    plan: UserPlanRow,
    {
      order,
      user,
      isOwed,
    }: { readonly order: PlanOrder; readonly user: UserRow | undefined; readonly isOwed: boolean },
  ): Promise<string> {
    const isRestored = isOwed && plan.state === 'refunded' && plan.ends_time > this.#dependencies.now();
    if (isRestored && !(await this.#hasRoom(transaction, order))) return tooManyPlans;
    await this.#setValid(transaction, plan, { user, number: order.number, isValid: isOwed });
    return '';
  }

  /**
   * Open orders count toward the number per user from their creation. An order that is paid after it was closed, or
   * whose dispute is won after the plan was bought again, must not take their place.
   */
  async #hasRoom(transaction: Transaction, { account_id, plan_id, subscription_id }: PlanOrder): Promise<boolean> {
    const { plans, userPlans, now } = this.#dependencies;
    const plan = await plans.within(transaction).find(plan_id);
    if (!plan || plan.max_per_user === 0 || subscription_id !== 0) return true;
    return (await userPlans.within(transaction).countHeld(account_id, plan_id, now())) < plan.max_per_user;
  }

  /** A plan that an admin removed or its user canceled does not become valid again. */
  async #setValid(transaction: Transaction, plan: UserPlanRow, { user, number, isValid }: Validity): Promise<void> {
    const state = isValid ? 'active' : 'refunded';
    if (plan.state === state || plan.state === 'removed' || plan.state === 'canceled') return;
    await this.#dependencies.userPlans.within(transaction).setState(plan.id, state);
    transaction.changed(`user:${plan.user_id}`);
    const event = isValid ? 'plan.restored' : 'plan.taken';
    const values = { plan: plan.name, number };
    const { logs } = this.#dependencies;
    if (user) await logs.record(transaction, { type: logType.system, event, user, values });
  }

  /** Number of valid plans of this kind and of unpaid orders of it. */
  countHeld(userId: number, planId: number): Promise<number> {
    const { userPlans, now } = this.#dependencies;
    return userPlans.countHeld(userId, planId, now());
  }

  /** The same. Locks the user, so concurrent orders, payments and redemptions wait until the transaction ends. */
  async countHeldLocked(transaction: Transaction, userId: number, planId: number): Promise<number> {
    const { userPlans, users, now } = this.#dependencies;
    await users.lock(transaction, userId);
    return userPlans.within(transaction).countHeld(userId, planId, now());
  }

  async #grant(transaction: Transaction, { userId, terms, orderId, createdBy, note, ...grant }: Grant) {
    const { plan_id, name, days, windows, time_zone, models, groups, upgrade_group } = terms;
    const now = this.#dependencies.now();
    const { start, end } = grant.period ?? { start: now, end: now + days * secondsPerDay };
    const added = await this.#dependencies.userPlans.within(transaction).insert({
      ...{ plan_id, name, windows, time_zone, models, groups, upgrade_group, note },
      user_id: userId,
      order_id: orderId,
      created_by: createdBy,
      subscription_id: grant.subscriptionId ?? 0,
      starts_time: start,
      ends_time: end,
      state: 'active',
      created_time: now,
    });
    transaction.changed(`user:${userId}`);
    return added;
  }

  async #present(transaction: Transaction, id: number): Promise<UserPlan> {
    const userPlans = this.#dependencies.userPlans.within(transaction);
    const row = await userPlans.find(id);
    if (!row) throw new ApiError('notFound');
    return presentUserPlan(row, await userPlans.windowsOf([id]), this.#dependencies.now());
  }

  async #windowsOf(rows: readonly { readonly id: number }[]) {
    return rows.length === 0 ? [] : this.#dependencies.userPlans.windowsOf(rows.map(({ id }) => id));
  }
}
