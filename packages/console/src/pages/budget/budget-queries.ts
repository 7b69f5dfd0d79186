import { type Budget, budgetApi, type Input, isAdmin, ownBudgetApi } from '@headgate/contract';
import { currentUser } from '../../lib/account/session.ts';
import { type CallOptions, call, callList } from '../../lib/api/call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';

export const budgetList = 'budget';

/** Admins see and set all budgets, other users only the budgets of their account and tokens. */
export const canSeeAllBudgets = (): boolean => {
  const user = currentUser();
  return user !== undefined && isAdmin(user);
};

export async function readBudgets(state: ListState, signal: AbortSignal): Promise<ListPage<Budget>> {
  const { p, size, keyword, sort, direction } = state;
  if (canSeeAllBudgets())
    return callList(budgetApi.list, { query: { p, size, keyword, sort: sort as undefined, direction } }, { signal });
  const own = await call(ownBudgetApi.list, {}, { signal });
  const found = own.filter(
    ({ id, owner, note }) => String(id) === keyword || `${owner} ${note}`.toLowerCase().includes(keyword.toLowerCase()),
  );
  return { rows: found.slice(p * size, (p + 1) * size), total: found.length };
}

type Creation = Input<typeof budgetApi.create>['body'];
type Update = Input<typeof budgetApi.update>['body'];

export const createBudget = ({ kind, group, tag, owner_id = 0, ...terms }: Creation) =>
  canSeeAllBudgets()
    ? call(budgetApi.create, {
        body: { kind, owner_id, ...terms, ...(group !== undefined && { group }), ...(tag !== undefined && { tag }) },
      })
    : call(ownBudgetApi.create, { body: { owner_id, ...terms } });

/** Endpoint that reads a budget for editing. */
export const budgetReader = () => (canSeeAllBudgets() ? budgetApi.get : ownBudgetApi.get);

export const updateBudget = (body: Update, options?: CallOptions) =>
  canSeeAllBudgets() ? call(budgetApi.update, { body }, options) : call(ownBudgetApi.update, { body }, options);

export const removeBudget = (id: number) =>
  canSeeAllBudgets() ? call(budgetApi.remove, { params: { id } }) : call(ownBudgetApi.remove, { params: { id } });

export const resetBudget = (id: number) =>
  canSeeAllBudgets() ? call(budgetApi.reset, { params: { id } }) : call(ownBudgetApi.reset, { params: { id } });
