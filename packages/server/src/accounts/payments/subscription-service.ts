import { logType, type OwnPlan } from '@headgate/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { UserPlanService } from '../plans/user-plan-service.ts';
import type { PaymentEvent } from './payment-provider.ts';
import type { PaymentProviders } from './payment-providers.ts';
import type { Settlement } from './settlement.ts';
import type { SubscriptionRepository, SubscriptionRow } from './subscription-repository.ts';

interface SubscriptionServiceDependencies {
  readonly subscriptions: SubscriptionRepository;
  readonly userPlans: UserPlanService;
  readonly providers: PaymentProviders;
  readonly settlement: Settlement;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly logger: FastifyBaseLogger;
  readonly now: () => number;
}

/** Turns the renewal of plans on and off at the provider. */
export class SubscriptionService {
  readonly #dependencies: SubscriptionServiceDependencies;

  constructor(dependencies: SubscriptionServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Without renewal, the plan ends with the paid period. */
  async setRenewal(user: UserRow, planId: number, renews: boolean): Promise<OwnPlan> {
    const { subscriptions, userPlans, settlement, logs, inTransaction } = this.#dependencies;
    const plan = await userPlans.ownOne(user, planId);
    const row = await subscriptions.find(plan.subscription_id);
    if (!row || row.state === 'ended') throw new ApiError('planDoesNotRenew');
    const event = await this.#change(row, renews);
    await inTransaction(async (transaction) => {
      const { verdict } = await settlement.applyIn(transaction, row.provider, 'query', event);
      if (verdict !== 'applied') return;
      const renewal = renews ? 'plan.renewal_resumed' : 'plan.renewal_canceled';
      await logs.record(transaction, { type: logType.system, event: renewal, user, values: { plan: plan.name } });
    });
    return userPlans.present(plan.id);
  }

  /** Turns off the renewal of a plan that an admin is about to remove. */
  async stop(planId: number): Promise<void> {
    const { subscriptions, userPlans, settlement } = this.#dependencies;
    const row = await subscriptions.find(await userPlans.subscriptionOf(planId));
    if (!row || row.state === 'ended' || row.renews === 0) return;
    await settlement.apply(row.provider, 'query', await this.#change(row, false));
  }

  async #change(row: SubscriptionRow, renews: boolean): Promise<PaymentEvent> {
    const { providers, logger, now } = this.#dependencies;
    const { provider, provider_id } = row;
    try {
      if (!renews) return await providers.stopSubscription(row, now());
      return await providers.setRenewal(provider, provider_id, { renews, now: now() });
    } catch (error) {
      logger.warn({ err: error, subscription: provider_id }, 'failed to change a subscription');
      throw new ApiError('paymentProviderFailed');
    }
  }
}
