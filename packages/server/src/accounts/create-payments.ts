import type { PaymentProviderName } from '@headgate/contract';
import type { Platform } from '../platform/create-platform.ts';
import { type ProviderUrls, stripeBaseUrl } from '../platform/outgoing/provider-urls.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { LogService } from '../records/logs/log-service.ts';
import type { BotCheckService } from './bot-check/turnstile.ts';
import { CheckInRepository } from './check-ins/check-in-repository.ts';
import { CheckInService } from './check-ins/check-in-service.ts';
import { ManagedAccountRepository } from './directory/managed-account-repository.ts';
import { CallbackRepository } from './payments/callback-repository.ts';
import { CallbackSelfTest } from './payments/callback-self-test.ts';
import { CallbackService } from './payments/callback-service.ts';
import { CreditNoteRepository } from './payments/credit-note-repository.ts';
import { Invoices } from './payments/invoices.ts';
import { OrderAdminService } from './payments/order-admin-service.ts';
import { OrderRepository } from './payments/order-repository.ts';
import { OrderService } from './payments/order-service.ts';
import { CallbackCounts, type PaymentNotice, paymentNotice } from './payments/payment-notifications.ts';
import { PaymentProviders } from './payments/payment-providers.ts';
import { PlanSales } from './payments/plan-sales.ts';
import { Reconciler } from './payments/reconciler.ts';
import { type CallbackSource, Settlement, type SettlementResult } from './payments/settlement.ts';
import { SubscriptionReconciler } from './payments/subscription-reconciler.ts';
import { SubscriptionRepository } from './payments/subscription-repository.ts';
import { SubscriptionService } from './payments/subscription-service.ts';
import { Subscriptions } from './payments/subscriptions.ts';
import { type EndingPlan, PlanNotices } from './plans/plan-notices.ts';
import type { PlanService } from './plans/plan-service.ts';
import { UserPlanRepository } from './plans/user-plan-repository.ts';
import type { UserPlanService } from './plans/user-plan-service.ts';
import { ReferralRepository } from './referrals/referral-repository.ts';
import { ReferralService } from './referrals/referral-service.ts';
import { ReferralShares } from './referrals/referral-shares.ts';
import type { UserService } from './users/user-service.ts';

/** Clock in Unix seconds and interval of the reconciler, shortened in tests. */
export interface PaymentTiming {
  readonly now?: () => number;
  readonly everyMs?: number;
}

interface PaymentsDependencies {
  readonly config: { readonly providerUrls: ProviderUrls };
  readonly platform: Platform;
  readonly records: { readonly logs: LogService };
  readonly accounts: {
    readonly users: UserService;
    readonly plans: PlanService;
    readonly userPlans: UserPlanService;
    readonly signIn: { readonly visitors: BotCheckService };
  };
  readonly paymentTiming?: PaymentTiming | undefined;
  readonly events: {
    readonly paymentNoticed: (notice: PaymentNotice) => void;
    readonly planEnding: (plan: EndingPlan) => void;
  };
}

/** Quota orders with their callbacks and queries, referral shares of orders, and daily check-ins. */
export function createPayments({ platform, events, paymentTiming: timing, ...dependencies }: PaymentsDependencies) {
  const { logs } = dependencies.records;
  const { users, plans, userPlans, signIn } = dependencies.accounts;
  const { database, options, homeAddress, inTransaction, logger, lifecycle, box, mail } = platform;
  const now = timing?.now ?? nowInSeconds;
  const rows = new OrderRepository(database);
  const callbackRows = new CallbackRepository(database);
  const providers = new PaymentProviders({ options, stripeUrl: stripeBaseUrl(dependencies.config.providerUrls) });
  const counts = new CallbackCounts();
  const onSettled = (settled: SettlementResult, source: CallbackSource) => {
    if (settled.order) counts.add(settled.order.provider, settled.verdict);
    const notice = paymentNotice(settled, source);
    if (notice) events.paymentNoticed(notice);
  };
  const onRejected = (provider: PaymentProviderName) => counts.add(provider, 'unverified');
  const subscriptions = new SubscriptionRepository(database);
  const referrals = new ReferralRepository(database);
  const referralShares = new ReferralShares({ referrals, options, now });
  const invoices = new Invoices({ orders: rows, creditNotes: new CreditNoteRepository(database), options, now });
  const settlement = new Settlement({
    plans: userPlans,
    subscriptions: new Subscriptions({ subscriptions, orders: rows, plans: userPlans, now }),
    orders: rows,
    invoices,
    callbacks: callbackRows,
    users,
    logs,
    referrals: referralShares,
    inTransaction,
    now,
  });
  const reconciling = { providers, settlement, onSettled, now, everyMs: timing?.everyMs, logger };
  const reconciler = new Reconciler({ ...reconciling, orders: rows });
  lifecycle.add({ name: 'order reconciler', start: () => reconciler.start(), stop: () => reconciler.close() });
  const renewals = new SubscriptionReconciler({ ...reconciling, subscriptions, inTransaction });
  lifecycle.add({ name: 'subscription reconciler', start: () => renewals.start(), stop: () => renewals.close() });
  const planNotices = new PlanNotices({
    ...{ users, mail, homeAddress, now, logger, everyMs: timing?.everyMs },
    userPlans: new UserPlanRepository(database),
    onEnding: events.planEnding,
  });
  lifecycle.add({ name: 'plan notices', start: () => planNotices.start(), stop: () => planNotices.close() });
  const shared = { orders: rows, invoices, reconciler, inTransaction };
  const orders = new OrderService({ ...shared, providers, options, homeAddress, logger, now });
  return {
    orders,
    subscriptions: new SubscriptionService({
      ...{ subscriptions, userPlans, providers, settlement, logs, inTransaction, logger, now },
    }),
    planSales: new PlanSales({ plans, userPlans, orders, providers }),
    orderAdmin: new OrderAdminService({ ...shared, callbacks: callbackRows, users, settlement, logs }),
    callbacks: new CallbackService({ providers, settlement, onSettled, onRejected, now }),
    selfTest: new CallbackSelfTest(homeAddress, box),
    reconciler,
    callbackCounts: counts,
    referrals: createReferrals(platform, { referrals, users, logs, now }),
    checkIns: new CheckInService({
      checkIns: new CheckInRepository(database),
      managedAccounts: new ManagedAccountRepository(database),
      users,
      logs,
      visitors: signIn.visitors,
      options,
      inTransaction,
      now,
    }),
  };
}

type ReferralDependencies = ConstructorParameters<typeof ReferralService>[0];

function createReferrals(
  { options, box, inTransaction, lifecycle }: PaymentsDependencies['platform'],
  given: Pick<ReferralDependencies, 'referrals' | 'users' | 'logs' | 'now'>,
): ReferralService {
  const referrals = new ReferralService({ ...given, options, box, inTransaction });
  lifecycle.add({ name: 'payout details', start: () => referrals.sealDetails() });
  return referrals;
}
