import { pointsPerCall } from '@headgate/contract';
import { builtInRatios, pointsPerUnit, priceUnitOf } from '@headgate/relay';
import type { SourceRow } from '../source/source.ts';
import { readJsonObject, readText, truncate } from '../source/source-values.ts';
import type { SkippedRow } from './map-options.ts';

/** new-api's fixed per-call price, which takes precedence over its token price. */
const callPriceOption = 'ModelPrice';
/** new-api's ratio of audio output to audio input. */
const audioOutputOption = 'AudioCompletionRatio';
const ratioOption = 'ModelRatio';
const defaultQuotaPerUnit = 500_000;
/** Maximum number of models listed individually in the report. */
const maxListed = 500;

type ModelNumber = readonly [model: string, value: number];

interface SourcePrices {
  /** Option rows of the source, plus an empty token-ratio row if per-call prices need one and the source has none. */
  readonly rows: readonly SourceRow[];
  /** Converts a price row to this gateway's ratios; returns other rows unchanged. */
  convert(row: SourceRow): SourceRow;
  /** Prices that cannot be imported. */
  skippedOf(row: SourceRow): readonly SkippedRow[];
}

/** Per-call prices and audio prices of new-api. For an image model, a call creates one image. */
export function sourcePrices(given: readonly SourceRow[]): SourcePrices {
  const optionOf = (key: string) => given.find((row) => readText(row, 'key') === key);
  const numbersOf = (key: string) => numbersIn(optionOf(key));
  const prices = numbersOf(callPriceOption);
  const quotaPerUnit = Number(readText(optionOf('QuotaPerUnit') ?? {}, 'value')) || defaultQuotaPerUnit;
  const ratioOf = (dollars: number, points: number) => plain((dollars * quotaPerUnit) / points);
  const isOfPicture = ([model]: ModelNumber) => priceUnitOf(model) === 'picture';
  const isPattern = ([model]: ModelNumber) => model.includes('*');
  const calls = prices.filter((price) => !isOfPicture(price) && !isPattern(price));
  const inputs = [
    ...prices
      .filter(isOfPicture)
      .map(([model, dollars]): ModelNumber => [model, ratioOf(dollars, pointsPerUnit.picture)]),
    // Tokens of a model with a per-call price are free.
    ...calls.map(([model]): ModelNumber => [model, 0]),
  ];
  const converted: Readonly<Record<string, (value: object) => readonly (readonly [string, unknown])[]>> = {
    [ratioOption]: (value) => [...Object.entries(value), ...inputs],
    [callPriceOption]: () => calls.map(([model, dollars]): ModelNumber => [model, ratioOf(dollars, pointsPerCall)]),
    [audioOutputOption]: () => audioOutputs(numbersOf),
  };
  return {
    rows: inputs.length > 0 && !optionOf(ratioOption) ? [...given, { key: ratioOption, value: '{}' }] : given,
    convert: (row) => {
      const key = readText(row, 'key');
      const numbers = Object.hasOwn(converted, key) ? converted[key] : undefined;
      // Unreadable ratios are reported by their option.
      const value = readJsonObject(row, 'value');
      return numbers && value ? { ...row, value: JSON.stringify(Object.fromEntries(numbers(value))) } : row;
    },
    skippedOf: (row) => (readText(row, 'key') === callPriceOption ? reasonsOf(prices.filter(isPattern)) : []),
  };
}

/** Ratios of audio output to text output. */
const audioOutputs = (numbersOf: (key: string) => readonly ModelNumber[]): readonly ModelNumber[] => {
  const [audio, completion] = [new Map(numbersOf('AudioRatio')), new Map(numbersOf('CompletionRatio'))];
  return numbersOf(audioOutputOption).flatMap(([model, ratio]): ModelNumber[] => {
    const text = completion.get(model) ?? builtInRatios(model, 0).completion;
    return text > 0 ? [[model, plain(((audio.get(model) ?? 1) * ratio) / text)]] : [];
  });
};

const plain = (ratio: number): number => Number(ratio.toPrecision(12));

const numbersIn = (row: SourceRow | undefined): readonly ModelNumber[] =>
  Object.entries((row && readJsonObject(row, 'value')) ?? {}).flatMap(([model, price]) =>
    typeof price === 'number' && Number.isFinite(price) && price >= 0 ? [[model, price] as const] : [],
  );

function reasonsOf(prices: readonly ModelNumber[]): readonly SkippedRow[] {
  const named = prices.slice(0, maxListed).map(([model, dollars]) => ({
    reason: `${JSON.stringify(truncate(model, 100))} costs $${dollars} per call in the source; prices of patterns are not supported`,
  }));
  const more = prices.length - named.length;
  return more > 0 ? [...named, { reason: `${more} more patterns have a price per call` }] : named;
}
