import type { ownPlanApi, Parsed, Plan, PlanOffer } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { PlanService } from '../plans/plan-service.ts';
import type { UserPlanService } from '../plans/user-plan-service.ts';
import type { OrderService } from './order-service.ts';
import type { PaymentProvider } from './payment-provider.ts';
import type { PaymentProviders } from './payment-providers.ts';

interface PlanSalesDependencies {
  readonly plans: PlanService;
  readonly userPlans: UserPlanService;
  readonly orders: OrderService;
  readonly providers: PaymentProviders;
}

const canSell = ({ currency, subscriptions }: PaymentProvider, plan: Plan): boolean =>
  currency === plan.currency && (!plan.recurring || subscriptions !== undefined);

/** Sells plans. An order keeps the terms of its plan, which later changes do not affect. */
export class PlanSales {
  readonly #dependencies: PlanSalesDependencies;

  constructor(dependencies: PlanSalesDependencies) {
    this.#dependencies = dependencies;
  }

  async offers(user: UserRow): Promise<PlanOffer[]> {
    const { plans, providers } = this.#dependencies;
    const offered = providers.offered();
    const offers: PlanOffer[] = [];
    for (const { plan } of await plans.forSale()) {
      const accepting = offered.filter(({ provider }) => canSell(provider, plan));
      if (accepting.length === 0) continue;
      offers.push({
        ...plan,
        available: await this.#hasRoom(user.id, plan),
        providers: accepting.map(({ name, provider }) => ({ provider: name, methods: [...provider.methods] })),
      });
    }
    return offers;
  }

  /** Creates an order. The plan starts when the payment arrives. */
  async buy(user: UserRow, { plan_id, ...method }: Parsed<typeof ownPlanApi.buy>['body']) {
    const { plans, orders } = this.#dependencies;
    const sold = (await plans.forSale()).find(({ plan }) => plan.id === plan_id);
    if (!sold) throw new ApiError('planNotForSale');
    const { plan, terms } = sold;
    return orders.start(user, method, {
      title: plan.name,
      priced: (provider) => {
        if (!canSell(provider, plan)) throw new ApiError('paymentProviderOff');
        return {
          currency: plan.currency,
          amount: plan.price,
          quota: 0,
          bonus_quota: 0,
          price: JSON.stringify({ plan: terms }),
          plan_id,
          plan_name: plan.name,
          recurring_days: plan.recurring ? plan.days : 0,
        };
      },
      check: async (transaction) => {
        if (await this.#hasRoom(user.id, plan, transaction)) return;
        throw new ApiError('planLimitReached', { limit: String(plan.max_per_user) });
      },
    });
  }

  async #hasRoom(userId: number, { id, max_per_user }: Plan, transaction?: Transaction): Promise<boolean> {
    if (max_per_user === 0) return true;
    const { userPlans } = this.#dependencies;
    const count = transaction ? userPlans.countHeldLocked(transaction, userId, id) : userPlans.countHeld(userId, id);
    return (await count) < max_per_user;
  }
}
