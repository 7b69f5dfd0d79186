import type { planApi, userPlanApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { PlanService } from './plan-service.ts';
import type { UserPlanService } from './user-plan-service.ts';

export const planRoutes = (plans: PlanService): Handlers<typeof planApi> => ({
  list: () => plans.list(),
  get: ({ params }) => plans.get(params.id),
  create: ({ caller, body }) => plans.create(caller, body),
  update: ({ caller, body }) => plans.update(caller, body),
  remove: async ({ caller, params }) => {
    await plans.remove(caller, params.id);
    return undefined;
  },
});

interface Subscriptions {
  /** Turns off the renewal of a plan. */
  stop(planId: number): Promise<void>;
}

export const userPlanRoutes = (
  userPlans: UserPlanService,
  subscriptions: Subscriptions,
): Handlers<typeof userPlanApi> => ({
  list: ({ query }) => userPlans.page(query),
  assign: ({ caller, body }) => userPlans.assign(caller, body),
  remove: async ({ caller, params, body }) => {
    await userPlans.requireRemovable(caller, params.id);
    await subscriptions.stop(params.id);
    return userPlans.remove(caller, params.id, body.note);
  },
});
