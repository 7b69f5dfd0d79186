import { type CatalogModel, type PricePart, priceParts } from '@headgate/contract';
import { describe, expect, it } from 'vitest';
import type { ListState } from '../../../lib/list/list-state.ts';
import { type CatalogFilters, type CatalogRow, countModels, paginateCatalog } from './model-catalog-rows.ts';

const noPrice = Object.fromEntries(priceParts.map((part) => [part, 0])) as Record<PricePart, number>;
const price = (input: number) => ({ ...noPrice, input, output: 4 * input });
const model = (name: string, more: Partial<CatalogModel> = {}): CatalogRow => ({
  ...{ id: name.length, model: name, provider: '', unit: 'tokens', price: null, context_window: null },
  ...{ capabilities: [], availability: 'available' },
  ...more,
});
const rows = [
  model('a-image', { unit: 'picture', price: price(0.04), provider: 'OpenAI', capabilities: ['images'] }),
  model('b-unpriced', { availability: 'not_offered', context_window: 8000 }),
  model('c-cheap', { price: price(1), provider: 'OpenAI', capabilities: ['tools'], context_window: 1000 }),
  model('d-dear', { price: price(5), provider: 'xAI', capabilities: ['tools', 'vision'], availability: 'degraded' }),
];
const state: ListState = {
  ...{ p: 0, size: 10, keyword: '', order: '', sort: undefined, direction: 'asc', status: undefined },
};
const names = (change: Partial<ListState>, filters: CatalogFilters = {}) =>
  paginateCatalog(rows, { ...state, ...change }, filters).rows.map((row) => row.model[0]);

describe('model catalog list', () => {
  it('lists offered models first', () => expect(names({})).toEqual(['a', 'c', 'd', 'b']));

  it('sorts by price and context window, with unknown values and other units last', () => {
    expect(names({ sort: 'input' })).toEqual(['c', 'd', 'a', 'b']);
    expect(names({ sort: 'output', direction: 'desc' })).toEqual(['d', 'c', 'a', 'b']);
    expect(names({ sort: 'context', direction: 'desc' })).toEqual(['b', 'c', 'a', 'd']);
    expect(names({ sort: 'model', direction: 'desc' })).toEqual(['d', 'c', 'b', 'a']);
  });

  it('filters by name, availability, provider and capability', () => {
    expect(names({ keyword: 'CHEAP ' })).toEqual(['c']);
    expect(names({ status: 2 })).toEqual(['d']);
    expect(names({}, { provider: 'OpenAI' })).toEqual(['a', 'c']);
    expect(names({}, { provider: 'OpenAI', capability: 'tools' })).toEqual(['c']);
  });

  it('returns one page and the total', () => {
    expect(paginateCatalog(rows, { ...state, p: 1, size: 3 }, {})).toEqual({ rows: [rows[1]], total: 4 });
    expect(countModels(rows)).toEqual({ 1: 2, 2: 1, 3: 0, 4: 1 });
  });
});
