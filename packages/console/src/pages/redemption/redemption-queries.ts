import { type Input, type Redemption, redemptionApi, redemptionBulkApi, redemptionExportApi } from '@headgate/contract';
import { type CallOptions, call, callList, callWithoutData } from '../../lib/api/call.ts';
import { requestExport } from '../../lib/api/export-call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';

export const redemptionList = 'redemption';

/** One page of codes; uses the search with a keyword. */
export function readRedemptions(state: ListState, signal: AbortSignal): Promise<ListPage<Redemption>> {
  const { keyword, order: _, ...rest } = state;
  const query = { ...rest, sort: rest.sort as undefined };
  return keyword === ''
    ? callList(redemptionApi.list, { query }, { signal })
    : callList(redemptionApi.search, { query: { ...query, keyword } }, { signal });
}

type BulkInput = Input<typeof redemptionBulkApi.run>['body'];
export type SelectedRedemptions = BulkInput['chosen'];

export const exportRedemptions = requestExport(redemptionExportApi.all, redemptionExportApi.chosen);

export const changeRedemptions = (body: BulkInput) => call(redemptionBulkApi.run, { body });

export const undoRedemptionChanges = (undo: string) => call(redemptionBulkApi.undo, { body: { undo } });

export const countRedemptions = (signal: AbortSignal) => call(redemptionApi.counts, {}, { signal });

export const createRedemptions = (body: Parameters<typeof call<typeof redemptionApi.create>>[1]['body']) =>
  call(redemptionApi.create, { body });

export const updateRedemption = (
  body: Parameters<typeof call<typeof redemptionApi.update>>[1]['body'],
  options: CallOptions,
) => callWithoutData(redemptionApi.update, { query: {}, body }, options);

export const setRedemptionStatus = (id: number, status: 1 | 2) =>
  callWithoutData(redemptionApi.update, { query: { status_only: 'true' }, body: { id, status } });

export const removeRedemption = (id: number) => call(redemptionApi.remove, { params: { id } });
