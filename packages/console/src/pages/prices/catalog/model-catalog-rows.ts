import {
  type CatalogModel,
  type ModelAvailability,
  type ModelCapability,
  modelAvailabilities,
} from '@headgate/contract';
import type { ListPage } from '../../../lib/list/list.ts';
import type { ListState } from '../../../lib/list/list-state.ts';

export const catalogFilterNames = ['provider', 'capability'] as const;
export type CatalogFilters = Readonly<Partial<Record<(typeof catalogFilterNames)[number], string>>>;

/** A model with an id for selections. */
export interface CatalogRow extends CatalogModel {
  readonly id: number;
}

const availabilityNames = Object.keys(modelAvailabilities) as ModelAvailability[];

/** Availability as a number in the quick filter and the URL. */
const availabilityId = (availability: ModelAvailability): number => availabilityNames.indexOf(availability) + 1;

/** Quick filters: users never see models without a usable channel. */
export const availabilityStatuses = (isAdmin: boolean) =>
  Object.fromEntries(
    availabilityNames
      .filter((name) => isAdmin || name === 'available' || name === 'degraded')
      .map((name) => [availabilityId(name), modelAvailabilities[name]]),
  );

/** Number of models by availability. */
export function countModels(all: readonly CatalogModel[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = Object.fromEntries(availabilityNames.map((_, index) => [index + 1, 0]));
  for (const { availability } of all)
    counts[availabilityId(availability)] = (counts[availabilityId(availability)] ?? 0) + 1;
  return counts;
}

export const providersOf = (all: readonly CatalogModel[]): readonly string[] =>
  [...new Set(all.map(({ provider }) => provider))].filter((name) => name !== '').sort();

const isUnknown = (value: number | null | undefined): value is null | undefined =>
  value === null || value === undefined;

/** Unknown values come last in both directions. */
const byNumber =
  (value: (row: CatalogRow) => number | null | undefined) =>
  (sign: number) =>
  (one: CatalogRow, other: CatalogRow): number => {
    const [first, second] = [value(one), value(other)];
    if (isUnknown(first) || isUnknown(second)) return Number(isUnknown(first)) - Number(isUnknown(second));
    return sign * (first - second);
  };

/** Prices of different units cannot be compared, so only token prices have an order. */
const tokenPrice = (part: 'input' | 'output') => (row: CatalogRow) =>
  row.unit === 'tokens' ? row.price?.[part] : undefined;

const orders: Readonly<Record<string, (sign: number) => (one: CatalogRow, other: CatalogRow) => number>> = {
  model: (sign) => (one, other) => sign * one.model.localeCompare(other.model),
  input: byNumber(tokenPrice('input')),
  output: byNumber(tokenPrice('output')),
  context: byNumber(({ context_window }) => context_window),
};

/** Offered models first. */
const usualOrder = (one: CatalogRow, other: CatalogRow): number =>
  Number(one.availability === 'not_offered') - Number(other.availability === 'not_offered') ||
  one.model.localeCompare(other.model);

const matches = (row: CatalogRow, { keyword, status }: ListState, { provider, capability }: CatalogFilters): boolean =>
  row.model.toLowerCase().includes(keyword.trim().toLowerCase()) &&
  (status === undefined || availabilityId(row.availability) === status) &&
  (provider === undefined || row.provider === provider) &&
  (capability === undefined || row.capabilities.includes(capability as ModelCapability));

/** One page of the matching models. */
export function paginateCatalog(
  all: readonly CatalogRow[],
  state: ListState,
  filters: CatalogFilters,
): ListPage<CatalogRow> {
  const found = all.filter((row) => matches(row, state, filters));
  const order = orders[state.sort ?? '']?.(state.direction === 'desc' ? -1 : 1);
  const sorted = found.toSorted((one, other) => order?.(one, other) || usualOrder(one, other));
  return { rows: sorted.slice(state.p * state.size, (state.p + 1) * state.size), total: found.length };
}
