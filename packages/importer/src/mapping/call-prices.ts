import { pointsPerUnit, priceUnitOf } from '@headgate/relay';
import type { SourceRow } from '../source/source.ts';
import { objectOf, textOf, truncate } from '../source/source-values.ts';
import type { Skipped } from './map-options.ts';

/** new-api's fixed price per call, which takes precedence over its token price. */
const callPriceOption = 'ModelPrice';
const ratioOption = 'ModelRatio';
const defaultQuotaPerUnit = 500_000;
/** Maximum number of models listed individually in the report. */
const maxListed = 500;

interface CallPrices {
  /** Adds image prices to the ratio option; returns other rows unchanged. */
  mergeInto(row: SourceRow): SourceRow;
  /** Prices that cannot be imported. */
  skippedOf(row: SourceRow): readonly Skipped[];
}

/**
 * Per-call prices. In this gateway only image models have a fixed price, and a call creates one image. Other models
 * are billed by usage.
 */
export function callPrices(rows: readonly SourceRow[]): CallPrices {
  const optionOf = (key: string) => rows.find((row) => textOf(row, 'key') === key);
  const prices = pricesIn(optionOf(callPriceOption));
  const quotaPerUnit = Number(textOf(optionOf('QuotaPerUnit') ?? {}, 'value')) || defaultQuotaPerUnit;
  const isOfPicture = ([model]: readonly [string, number]) => priceUnitOf(model) === 'picture';
  const ofPictures = prices.filter(isOfPicture).map(([model, dollars]): [string, number] => {
    return [model, Number(((dollars * quotaPerUnit) / pointsPerUnit.picture).toPrecision(12))];
  });
  const others = prices.filter((price) => !isOfPicture(price));
  return {
    mergeInto: (row) => {
      const key = textOf(row, 'key');
      if (key !== ratioOption && key !== callPriceOption) return row;
      const ratios = objectOf(optionOf(ratioOption) ?? {}, 'value');
      // Unreadable ratios are reported by the ratio option itself.
      if (ratios && ofPictures.length > 0) return { ...row, value: withPrices(ratios, ofPictures) };
      return key === ratioOption ? row : { ...row, value: '{}' };
    },
    skippedOf: (row) => (textOf(row, 'key') === callPriceOption ? reasonsOf(others) : []),
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

function reasonsOf(prices: readonly (readonly [string, number])[]): readonly Skipped[] {
  const named = prices.slice(0, maxListed).map(([model, dollars]) => ({
    reason: `${JSON.stringify(truncate(model, 100))} costs $${dollars} per call in the source; it is billed by tokens here`,
  }));
  const more = prices.length - named.length;
  return more > 0 ? [...named, { reason: `${more} more models have a price per call` }] : named;
}
