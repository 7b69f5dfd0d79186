import { type Input, type Plan, planApi, type UserPlan, userPlanApi } from '@headgate/contract';
import { type CallOptions, call, callList } from '../../lib/api/call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';

export const planList = 'plan';
export const userPlanList = 'user-plan';

/** The server returns all plans; there are few. */
export async function readPlans({ p, size, keyword }: ListState, signal: AbortSignal): Promise<ListPage<Plan>> {
  const word = keyword.toLowerCase();
  const found = (await call(planApi.list, {}, { signal })).filter(({ name }) => name.toLowerCase().includes(word));
  return { rows: found.slice(p * size, (p + 1) * size), total: found.length };
}

export const readUserPlans =
  (planId: number | undefined) =>
  ({ p, size }: ListState, signal: AbortSignal): Promise<ListPage<UserPlan>> =>
    callList(userPlanApi.list, { query: { p, size, ...(planId !== undefined && { plan_id: planId }) } }, { signal });

export const createPlan = (body: Input<typeof planApi.create>['body']) => call(planApi.create, { body });

export const updatePlan = (body: Input<typeof planApi.update>['body'], options?: CallOptions) =>
  call(planApi.update, { body }, options);

export const removePlan = (id: number) => call(planApi.remove, { params: { id } });

export const assignPlan = (body: Input<typeof userPlanApi.assign>['body']) => call(userPlanApi.assign, { body });

export const removeUserPlan = (id: number) => call(userPlanApi.remove, { params: { id }, body: {} });
