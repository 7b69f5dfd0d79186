import { type OptionValues, type PriceChange, priceChange } from '@headgate/contract';
import { isPriced, priceOf, priceUnitOf } from '@headgate/relay';
import { applyPrices } from '../../../catalog/prices/entered-price.ts';
import { toPriceRatios } from '../../../catalog/prices/price-entries.ts';
import { priceInDollars } from '../../../catalog/prices/price-in-dollars.ts';
import { type ObjectKind, objectNames } from './object-kind.ts';

type Price = NonNullable<PriceChange['price']>;

/** Model prices, compared in dollars. Built-in prices are not stored and do not count as a difference. */
export const modelKind: ObjectKind<Price> = {
  kind: 'model',
  section: 'models',

  wanted(file, after) {
    return Object.entries(file.document.models ?? {}).map(([name, price]) => {
      const path = ['models', name];
      const input = withoutMissing(price);
      const change = file.validated(path, priceChange, { model: name, price: input });
      if (change.model !== name) throw file.errorAt(path, 'has spaces around its name.');
      return { name, fields: file.validate(path, () => desiredPriceInDollars(name, input, after)), input };
    });
  },

  async found(_, { names }, after) {
    return names
      .filter((name) => isPriced(name, after))
      .map((name) => ({ id: 0, name, fields: effectivePriceInDollars(name, after) }));
  },

  async write({ services: { actor, priceBook, prices } }, changes) {
    await prices.save(
      actor,
      changes.map(({ name, wanted }) => ({ model: name, price: wanted.input })),
    );
    await priceBook.load();
    return changes.map(() => 0);
  },

  async remove({ actor, priceBook, prices }, found) {
    await prices.save(
      actor,
      objectNames(found).map((model) => ({ model, price: null })),
    );
    await priceBook.load();
  },
};

/** The full price of a model. Missing parts use the built-in price. */
export function desiredPriceInDollars(model: string, price: Price, values: OptionValues) {
  const { QuotaPerUnit } = values;
  const entries = applyPrices([], [{ model, price }], QuotaPerUnit);
  return effectivePriceInDollars(model, { ...values, ...toPriceRatios(entries, QuotaPerUnit) });
}

/** Ignores price differences between channel types and groups. */
export const effectivePriceInDollars = (model: string, values: OptionValues) => ({
  ...priceInDollars(
    { ...priceOf(model, { type: 0 }, '', values), group_ratio: 1 },
    { unit: priceUnitOf(model), quotaPerUnit: values.QuotaPerUnit },
  ),
});

const withoutMissing = (price: object): Price =>
  Object.fromEntries(Object.entries(price).filter(([, value]) => value !== undefined)) as Price;
