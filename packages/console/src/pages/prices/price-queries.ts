import { type ModelPrice, type PriceChange, type PriceListFormat, priceApi } from '@headgate/contract';
import { call } from '../../lib/api/call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';

export const priceList = 'prices';

export const readAllPrices = (signal?: AbortSignal) => call(priceApi.list, {}, signal ? { signal } : {});

export const savePrices = (changes: readonly PriceChange[], list?: PriceListFormat) =>
  call(priceApi.save, { body: { changes: [...changes], ...(list && { list }) } });

/** An empty URL compares with the list in the settings. */
export const comparePrices = (url: string) => call(priceApi.compare, { body: url === '' ? {} : { url } });

/** Price sources, for the quick filter and the dot. */
export const priceSources = {
  1: { label: 'No price', color: 'red' },
  2: { label: 'Custom', color: 'blue' },
  3: { label: 'Built-in', color: 'gray' },
} as const satisfies Readonly<Record<number, { readonly label: string; readonly color: string }>>;

export const priceSourceIds: Readonly<Record<ModelPrice['source'], number>> = { none: 1, yours: 2, built_in: 3 };

/** One page of prices. The server sends all of them (a few hundred), so they are filtered and sorted in the browser. */
export async function readPrices(state: ListState, signal: AbortSignal): Promise<ListPage<ModelPrice>> {
  const all = (await readAllPrices(signal)).filter(
    ({ model, source }) =>
      contains(model, state.keyword) && (state.status === undefined || priceSourceIds[source] === state.status),
  );
  return pageOf(all.toSorted(offeredFirst), state);
}

export async function countPrices(signal: AbortSignal): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = { 1: 0, 2: 0, 3: 0 };
  for (const { source } of await readAllPrices(signal)) {
    const number = priceSourceIds[source];
    counts[number] = (counts[number] ?? 0) + 1;
  }
  return counts;
}

const contains = (model: string, keyword: string): boolean => model.toLowerCase().includes(keyword.toLowerCase());

const offeredFirst = (one: ModelPrice, other: ModelPrice): number =>
  Number(other.channels > 0) - Number(one.channels > 0) || one.model.localeCompare(other.model);

interface Priced {
  readonly model: string;
  readonly price: { readonly input: number; readonly output: number };
}

const orders: Readonly<Record<string, (one: Priced, other: Priced) => number>> = {
  model: (one, other) => one.model.localeCompare(other.model),
  input: (one, other) => one.price.input - other.price.input,
  output: (one, other) => one.price.output - other.price.output,
};

function pageOf<Row extends Priced>(rows: readonly Row[], { p, size, sort, direction }: ListState): ListPage<Row> {
  const order = orders[sort ?? ''];
  const sorted = order ? rows.toSorted(order) : [...rows];
  if (direction === 'desc' && order) sorted.reverse();
  return { rows: sorted.slice(p * size, (p + 1) * size), total: rows.length };
}
