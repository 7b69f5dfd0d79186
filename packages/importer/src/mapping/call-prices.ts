import { pointsPerUnit, priceUnitOf } from '@headgate/relay';
import type { SourceRow } from '../source/source.ts';
import { cut, objectOf, textOf } from '../source/source-values.ts';
import type { Staying } from './outcome.ts';

/** What new-api asks for a call, whatever it says; there it goes before the price by tokens. */
const callPriceOption = 'ModelPrice';
const ratioOption = 'ModelRatio';
const usualQuotaPerUnit = 500_000;
/** So many are named one by one. */
const mostNamed = 500;

interface CallPrices {
  /** The row of the ratios with what can be a ratio; other rows as they are. */
  merged(row: SourceRow): SourceRow;
  /** What of the row cannot come. */
  staying(row: SourceRow): readonly Staying[];
}

/** Prices of calls. Here pictures have a price each, and of these a call makes one; all else is paid by what it takes. */
export function callPrices(rows: readonly SourceRow[]): CallPrices {
  const optionOf = (key: string) => rows.find((row) => textOf(row, 'key') === key);
  const prices = pricesIn(optionOf(callPriceOption));
  const quotaPerUnit = Number(textOf(optionOf('QuotaPerUnit') ?? {}, 'value')) || usualQuotaPerUnit;
  const isOfPicture = ([model]: readonly [string, number]) => priceUnitOf(model) === 'picture';
  const ofPictures = prices.filter(isOfPicture).map(([model, dollars]): [string, number] => {
    return [model, Number(((dollars * quotaPerUnit) / pointsPerUnit.picture).toPrecision(12))];
  });
  const others = prices.filter((price) => !isOfPicture(price));
  return {
    merged: (row) => {
      const key = textOf(row, 'key');
      if (key !== ratioOption && key !== callPriceOption) return row;
      const ratios = objectOf(optionOf(ratioOption) ?? {}, 'value');
      // Ratios that cannot be read are told of by themselves.
      if (ratios && ofPictures.length > 0) return { ...row, value: withPrices(ratios, ofPictures) };
      return key === ratioOption ? row : { ...row, value: '{}' };
    },
    staying: (row) => (textOf(row, 'key') === callPriceOption ? reasonsOf(others) : []),
  };
}

const withPrices = (
  ratios: Readonly<Record<string, unknown>>,
  prices: readonly (readonly [string, number])[],
): string => JSON.stringify(Object.fromEntries([...Object.entries(ratios), ...prices]));

function pricesIn(row: SourceRow | undefined): readonly (readonly [string, number])[] {
  return Object.entries((row && objectOf(row, 'value')) ?? {}).flatMap(([model, price]) =>
    typeof price === 'number' && Number.isFinite(price) && price >= 0 ? [[model, price] as const] : [],
  );
}

function reasonsOf(prices: readonly (readonly [string, number])[]): readonly Staying[] {
  const named = prices.slice(0, mostNamed).map(([model, dollars]) => ({
    reason: `${JSON.stringify(cut(model, 100))} costs $${dollars} a call there; here it is paid by tokens, by its own price`,
  }));
  const more = prices.length - named.length;
  return more > 0 ? [...named, { reason: `${more} more models have a price for a call` }] : named;
}
