import type { budgetApi, ownBudgetApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { BudgetService } from './budget-service.ts';

export const budgetRoutes = (budgets: BudgetService): Handlers<typeof budgetApi> => ({
  list: ({ query }) => budgets.page(query),
  get: ({ params }) => budgets.get(params.id),
  create: ({ caller, body }) => budgets.create(caller, body),
  update: ({ caller, body }) => budgets.update(caller, body),
  remove: async ({ caller, params }) => {
    await budgets.remove(caller, params.id);
    return undefined;
  },
  reset: ({ caller, params }) => budgets.reset(caller, params.id),
});

export const ownBudgetRoutes = (budgets: BudgetService): Handlers<typeof ownBudgetApi> => ({
  list: ({ caller }) => budgets.own(caller.id),
  get: ({ caller, params }) => budgets.getOwn(caller.id, params.id),
  create: ({ caller, body }) => budgets.createOwn(caller, body),
  update: ({ caller, body }) => budgets.updateOwn(caller, body),
  remove: async ({ caller, params }) => {
    await budgets.removeOwn(caller, params.id);
    return undefined;
  },
  reset: ({ caller, params }) => budgets.resetOwn(caller, params.id),
});
