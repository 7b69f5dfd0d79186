import type { OptionValues, PriceChange } from '@headgate/contract';
import { isPriced, priceOf, priceUnitOf } from '@headgate/relay';
import { changedRatios, ratioKeys } from '../../prices/changed-ratios.ts';
import { priceInDollars } from '../../prices/price-in-dollars.ts';
import { byName, type Kind } from './kind.ts';

type Price = NonNullable<PriceChange['price']>;

/** Prices of models. They are compared in dollars: what costs the built-in price is not kept, and no difference. */
export const modelKind: Kind<Price> = {
  kind: 'model',
  section: 'models',

  wanted(file, after) {
    const noRatios: OptionValues = { ...after, ...Object.fromEntries(ratioKeys.map((key) => [key, {}])) };
    return Object.entries(file.document.models ?? {}).map(([name, price]) => {
      const given = withoutMissing(price);
      const ratios = file.judge(['models', name], () => changedRatios([{ model: name, price: given }], noRatios));
      return { name, fields: dollarsOf(name, { ...noRatios, ...ratios }), given };
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

/** Of no type that has prices of its own, and for no group. */
const dollarsOf = (model: string, values: OptionValues) => ({
  ...priceInDollars(
    { ...priceOf(model, { type: 0 }, '', values), group_ratio: 1 },
    { unit: priceUnitOf(model), quotaPerUnit: values.QuotaPerUnit },
  ),
});

const withoutMissing = (price: object): Price =>
  Object.fromEntries(Object.entries(price).filter(([, value]) => value !== undefined)) as Price;
