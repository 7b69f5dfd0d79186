import { isDeepStrictEqual } from 'node:util';
import { defaultOptions, type OptionKey, optionRow, type PriceInDollars, priceParts } from '@headgate/contract';
import { priceUnitOf } from '@headgate/relay';
import { fileOptionKeys } from '../file-schema.ts';
import { desiredPriceInDollars, effectivePriceInDollars } from '../kinds/model-kind.ts';
import type { DumpContext, DumpSection } from './dump-section.ts';

/** Options that differ from their defaults. */
export const dumpedOptions: DumpSection = {
  kind: 'option',
  section: 'options',
  entries: async (dumping) =>
    fileOptionKeys
      .filter((key) => textOf(key, dumping.options[key]) !== textOf(key, defaultOptions[key]))
      .map((key) => [key, valueFor(key, dumping)] as const),
};

/** The caller passes the value of the same key, which the type system cannot express. */
const textOf = (key: OptionKey, value: unknown): string => optionRow(key).format(value as never);

function valueFor(key: OptionKey, { options, variables }: DumpContext): unknown {
  const value = options[key];
  return optionRow(key).control === 'secret' ? variables.refer([key], String(value)) : value;
}

export const dumpedGroups: DumpSection = {
  kind: 'group',
  section: 'groups',
  entries: async ({ options }) => Object.entries(options.GroupRatio),
};

/** Saved prices. Built-in prices are not dumped. */
export const dumpedModels: DumpSection = {
  kind: 'model',
  section: 'models',
  async entries({ services, options }) {
    return services.priceBook.models
      .toSorted()
      .map((name) => [name, priceFor(name, effectivePriceInDollars(name, options), options)] as const);
  },
};

/** The smallest set of parts that results in the same price. */
function priceFor(name: string, price: PriceInDollars, options: DumpContext['options']): Partial<PriceInDollars> {
  const parts = priceUnitOf(name) === 'tokens' ? priceParts : priceParts.slice(0, 1);
  const some = [1, 2, parts.length].map((count) =>
    Object.fromEntries(parts.slice(0, count).map((part) => [part, price[part]])),
  );
  return some.find((few) => isSamePrice(name, few, price, options)) ?? price;
}

function isSamePrice(
  name: string,
  few: Partial<PriceInDollars>,
  price: PriceInDollars,
  options: DumpContext['options'],
) {
  try {
    return isDeepStrictEqual({ ...desiredPriceInDollars(name, { input: 0, ...few }, options) }, { ...price });
  } catch {
    // Invalid here; the error is reported when the whole price is validated.
    return false;
  }
}
