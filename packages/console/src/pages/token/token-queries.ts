import { type Input, type Token, tokenApi, tokenBulkApi, tokenExportApi } from '@headgate/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { type CallOptions, call, callList, callWithoutData } from '../../lib/api/call.ts';
import { requestExport } from '../../lib/api/export-call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';

export const tokenList = 'token';

/** One page of own tokens; uses the search with a keyword. */
export function readTokens({ keyword, ...state }: ListState, signal: AbortSignal): Promise<ListPage<Token>> {
  const query = { ...state, order: state.order as '', sort: state.sort as undefined };
  return keyword === ''
    ? callList(tokenApi.list, { query }, { signal })
    : callList(tokenApi.search, { query: { ...query, keyword } }, { signal });
}

type BulkInput = Input<typeof tokenBulkApi.run>['body'];
export type SelectedTokens = BulkInput['chosen'];

export const exportTokens = requestExport(tokenExportApi.all, tokenExportApi.chosen);

export const changeTokens = (body: BulkInput) => call(tokenBulkApi.run, { body });

export const undoTokenChanges = (undo: string) => call(tokenBulkApi.undo, { body: { undo } });

export const countTokens = (signal: AbortSignal) => call(tokenApi.counts, {}, { signal });

export const readToken = (id: number) => call(tokenApi.get, { params: { id } });

/** Name of the last created token until dismissed. In memory only, so that a reload shows no key. */
export const createdTokenQuery = queryOptions<string | null>({ queryKey: ['created-token'], queryFn: skipToken });

export const createToken = (body: Parameters<typeof call<typeof tokenApi.create>>[1]['body']) =>
  callWithoutData(tokenApi.create, { body });

export const updateToken = (body: Parameters<typeof call<typeof tokenApi.update>>[1]['body'], options?: CallOptions) =>
  callWithoutData(tokenApi.update, { query: {}, body }, options);

export const setTokenStatus = (id: number, status: 1 | 2) =>
  callWithoutData(tokenApi.update, { query: { status_only: 'true' }, body: { id, status } });

/** Rotates the key; the old key stays valid for `grace` seconds. */
export const rotateToken = (id: number, grace: number) => call(tokenApi.rotate, { params: { id }, body: { grace } });

export const revokeOldKey = (id: number) => call(tokenApi.endOldKey, { params: { id } });

export const removeToken = (id: number) => call(tokenApi.remove, { params: { id } });
