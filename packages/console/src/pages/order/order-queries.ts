import {
  type Order,
  type OrderProviderName,
  type OrderState,
  orderApi,
  orderProviders,
  orderStates,
} from '@headgate/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, callList } from '../../lib/api/call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';

export const orderListKey = 'order';

/** Filters of the list in the URL, apart from the keyword. */
export interface OrderFilters {
  readonly state: OrderState | undefined;
  readonly provider: OrderProviderName | undefined;
}

const isOrderProvider = (text: string): text is OrderProviderName => Object.hasOwn(orderProviders, text);
const isOrderState = (text: string): text is OrderState => Object.hasOwn(orderStates, text);

/** Reads the filters from the query of the URL; unknown values are ignored. */
export function readOrderFilters({
  state,
  provider,
}: {
  readonly state?: unknown;
  readonly provider?: unknown;
}): OrderFilters {
  return {
    state: typeof state === 'string' && isOrderState(state) ? state : undefined,
    provider: typeof provider === 'string' && isOrderProvider(provider) ? provider : undefined,
  };
}

export const readOrders =
  (filters: OrderFilters) =>
  ({ p, size, keyword }: ListState, signal: AbortSignal): Promise<ListPage<Order>> =>
    callList(orderApi.list, { query: { p, size, keyword, ...filters } }, { signal });

export const orderQuery = (id: number) =>
  queryOptions({
    queryKey: [orderListKey, 'details', id],
    queryFn: ({ signal }) => call(orderApi.get, { params: { id } }, { signal }),
    staleTime: 0,
  });

/** Mutations of an order; each refetches the displayed order. */
export function useOrderChanges(id: number) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: [orderListKey] });
  const check = useMutation({ mutationFn: () => call(orderApi.check, { params: { id } }), onSuccess });
  const refund = useMutation({
    mutationFn: (body: { readonly amount: number; readonly note: string }) =>
      call(orderApi.refund, { params: { id }, body }),
    onSuccess,
  });
  return { check, refund };
}
