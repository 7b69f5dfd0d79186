import type { ImportedIds, ImportedPayments, ImportPlan, PlannedUser } from '@headgate/importer';
import type { PlanRepository } from '../../accounts/plans/plan-repository.ts';
import type { UserPlanRepository } from '../../accounts/plans/user-plan-repository.ts';
import type { ReferralRepository } from '../../accounts/referrals/referral-repository.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { ImportedPaymentRepository } from './imported-payment-repository.ts';

export interface PaymentRepositories {
  readonly plans: PlanRepository;
  readonly userPlans: UserPlanRepository;
  readonly referrals: ReferralRepository;
  readonly payments: ImportedPaymentRepository;
}

type Ids = ReadonlyMap<string, number>;

interface WritingContext {
  readonly rows: PaymentRepositories;
  readonly imported: ImportedIds;
  /** Including users of earlier runs. */
  readonly users: Ids;
}

const note = 'Imported';
const timeZone = 'UTC';

/** Writes plans, plans of users, completed orders and referral shares, and returns ids by source id. */
export async function writePayments(
  transaction: Transaction,
  { payments, users }: Pick<ImportPlan, 'payments' | 'users'>,
  context: WritingContext,
): Promise<{ readonly plan: Ids; readonly user_plan: Ids; readonly order: Ids }> {
  await writeReferrals(transaction, users, context);
  const plan = await writePlans(transaction, payments.plans, context);
  const plans: Ids = new Map([...context.imported.plan, ...plan]);
  return {
    plan,
    user_plan: await writeUserPlans(transaction, payments.userPlans, { ...context, plans }),
    order: await writeOrders(transaction, payments.orders, context),
  };
}

/** A share that belongs to no order. Its order id is unique, because a user is imported once. */
async function writeReferrals(
  transaction: Transaction,
  users: readonly PlannedUser[],
  { rows, users: ids }: WritingContext,
): Promise<void> {
  const now = nowInSeconds();
  for (const { sourceId, referralQuota } of users.filter((user) => user.referralQuota > 0)) {
    const inviter_id = idIn(ids, sourceId);
    await rows.referrals.within(transaction).insert({
      ...{ order_id: -inviter_id, inviter_id, invited_id: 0, cap: 0 },
      ...{ full_quota: referralQuota, quota: referralQuota, created_time: now, available_time: 0 },
    });
  }
}

async function writePlans(
  transaction: Transaction,
  plans: ImportedPayments['plans'],
  { rows }: WritingContext,
): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const { sourceId, windows, ...plan } of plans) {
    const terms = { windows: JSON.stringify(windows), time_zone: timeZone, recurring: 0 };
    const added = await rows.plans.within(transaction).insert({ ...plan, ...terms });
    if (!added) throw new Error(`Plan ${sourceId} was not written.`);
    ids.set(String(sourceId), added.id);
  }
  return ids;
}

async function writeUserPlans(
  transaction: Transaction,
  userPlans: ImportedPayments['userPlans'],
  { rows, users, plans }: WritingContext & { readonly plans: Ids },
): Promise<Ids> {
  const now = nowInSeconds();
  const ids = new Map<string, number>();
  for (const { sourceId, userSourceId, planSourceId, used, ...plan } of userPlans) {
    const user_id = idIn(users, userSourceId);
    const plan_id = plans.get(String(planSourceId)) ?? 0;
    const { id } = await rows.userPlans.within(transaction).insert({
      ...plan,
      ...{ user_id, plan_id, created_by: user_id, time_zone: timeZone, state: 'active', note, created_time: now },
    });
    if (used > 0) await rows.payments.within(transaction).setUsed(user_id, id, { used, now });
    transaction.changed(`user:${user_id}`);
    ids.set(String(sourceId), id);
  }
  return ids;
}

/** The points are credited already: they are part of the imported balances. */
async function writeOrders(
  transaction: Transaction,
  orders: ImportedPayments['orders'],
  { rows, users }: WritingContext,
): Promise<Ids> {
  const ids = await rows.payments.within(transaction).insertOrders(
    orders.map(({ sourceId: _, userSourceId, ...order }) => ({
      ...order,
      account_id: idIn(users, userSourceId),
      created_by: idIn(users, userSourceId),
      provider: 'imported' as const,
      payment_id: order.number,
      bonus_quota: 0,
      credited_quota: order.quota,
      price: '{}',
      state: 'credited' as const,
      note,
    })),
  );
  return new Map(orders.map(({ sourceId, number }) => [sourceId, idIn(ids, number)]));
}

function idIn(ids: Ids, key: string | number): number {
  const id = ids.get(String(key));
  if (id === undefined) throw new Error(`Nothing was written for ${key}.`);
  return id;
}
