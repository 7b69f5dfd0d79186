import { type LimitRule, limitRuleApi } from '@headgate/contract';
import { type CallOptions, call, callList, callWithoutData } from '../../lib/api/call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';
import type { LimitBody } from './limit-form.ts';

export const limitList = 'limit';

export function readLimits({ p, size, keyword, status }: ListState, signal: AbortSignal): Promise<ListPage<LimitRule>> {
  const query = { p, size, keyword, ...(status !== undefined && { status }) };
  return callList(limitRuleApi.list, { query }, { signal });
}

export const createLimit = (body: LimitBody) => call(limitRuleApi.create, { body });

export const updateLimit = (id: number, body: LimitBody, options: CallOptions) =>
  callWithoutData(limitRuleApi.update, { body: { id, ...body } }, options);

export const setLimitEnabled = (id: number, enabled: boolean) =>
  callWithoutData(limitRuleApi.update, { body: { id, enabled } });

export const removeLimit = (id: number) => call(limitRuleApi.remove, { params: { id } });
