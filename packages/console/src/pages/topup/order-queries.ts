import { type Input, paymentApi } from '@headgate/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callList } from '../../lib/api/call.ts';
import { isOpenState } from '../../lib/format/order-labels.ts';

export const offersQuery = queryOptions({
  queryKey: ['payment', 'offers'],
  queryFn: ({ signal }) => call(paymentApi.offers, {}, { signal }),
});

export const ordersPerPage = 10;

export const ownOrdersKey = ['payment', 'orders'] as const;

export const ownOrdersQuery = (page: number) =>
  queryOptions({
    queryKey: [...ownOrdersKey, page],
    queryFn: ({ signal }) => callList(paymentApi.own, { query: { p: page, size: ordersPerPage } }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

export const ownOrderQuery = (number: string) =>
  queryOptions({
    queryKey: ['payment', 'order', number],
    queryFn: ({ signal }) => call(paymentApi.ownOne, { params: { number } }, { signal }),
    staleTime: 0,
  });

const pollMs = 4000;
/** Polls for about two minutes. */
const maxPolls = 30;

/** The order of a buyer who has returned from the provider, polled until it is paid. */
export const checkoutReturnQuery = (number: string) =>
  queryOptions({
    queryKey: ['payment', 'returned', number],
    queryFn: ({ signal }) => call(paymentApi.checkOwn, { params: { number } }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      isOpenState(data?.state) && dataUpdateCount < maxPolls ? pollMs : false,
  });

/** Creates an order and returns the URL of the payment page. */
export const createOrder = (body: Input<typeof paymentApi.create>['body']) => call(paymentApi.create, { body });

const exportedPerCall = 100;

/** All orders of the caller, newest first. */
export async function readAllOrders() {
  const first = await callList(paymentApi.own, { query: { p: 0, size: exportedPerCall } });
  const rows = [...first.rows];
  while (rows.length < (first.total ?? 0)) {
    const next = await callList(paymentApi.own, { query: { p: rows.length / exportedPerCall, size: exportedPerCall } });
    if (next.rows.length === 0) break;
    rows.push(...next.rows);
  }
  return rows;
}
