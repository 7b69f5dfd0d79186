import { type OptionValues, type PriceChange, priceChange } from '@headgate/contract';
import { isPriced, priceOf, priceUnitOf } from '@headgate/relay';
import { changedRatios, ratioKeys } from '../../../catalog/prices/changed-ratios.ts';
import { priceInDollars } from '../../../catalog/prices/price-in-dollars.ts';
import { byName, type Kind } from './kind.ts';

type Price = NonNullable<PriceChange['price']>;

/** Prices of models. They are compared in dollars: what costs the built-in price is not kept, and no difference. */
export const modelKind: Kind<Price> = {
  kind: 'model',
  section: 'models',

  wanted(file, after) {
    return Object.entries(file.document.models ?? {}).map(([name, price]) => {
      const path = ['models', name];
      const given = withoutMissing(price);
      const change = file.asTaken(path, priceChange, { model: name, price: given });
      if (change.model !== name) throw file.fault(path, 'has blanks around its name.');
      return { name, fields: file.judge(path, () => wantedDollars(name, given, after)), given };
    });
  },

  async found(_, { names }, after) {
    return names
      .filter((name) => isPriced(name, after))
      .map((name) => ({ id: 0, name, fields: dollarsOf(name, after) }));
  },

  async write({ services: { actor, options, prices } }, changes) {
    await prices.save(
      actor,
      changes.map(({ name, wanted }) => ({ model: name, price: wanted.given })),
    );
    await options.load();
    return changes.map(() => 0);
  },

  async remove({ actor, options, prices }, found) {
    await prices.save(
      actor,
      byName(found).map((model) => ({ model, price: null })),
    );
    await options.load();
  },
};

/** What a model costs that has this price: parts that are left out are those of the built-in one. */
export function wantedDollars(model: string, price: Price, values: OptionValues) {
  const noRatios: OptionValues = { ...values, ...Object.fromEntries(ratioKeys.map((key) => [key, {}])) };
  return dollarsOf(model, { ...noRatios, ...changedRatios([{ model, price }], noRatios) });
}

/** Of no type that has prices of its own, and for no group. */
export const dollarsOf = (model: string, values: OptionValues) => ({
  ...priceInDollars(
    { ...priceOf(model, { type: 0 }, '', values), group_ratio: 1 },
    { unit: priceUnitOf(model), quotaPerUnit: values.QuotaPerUnit },
  ),
});

const withoutMissing = (price: object): Price =>
  Object.fromEntries(Object.entries(price).filter(([, value]) => value !== undefined)) as Price;
