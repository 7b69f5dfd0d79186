import { type OptionValues, type PriceOptionKey, priceOptionKeys } from '@headgate/contract';
import {
  builtInRatios,
  listedModels,
  modelRatios,
  type Price,
  pointsPerUnit,
  priceOf,
  priceUnitOf,
  quotaOf,
  type SavedRatios,
} from '@headgate/relay';
import { describe, expect, it } from 'vitest';
import { sampleNumbers } from '../../testing/records/sample-logs.ts';
import { applyPrices } from './entered-price.ts';
import {
  applyRatios,
  noPriceRatios,
  type PriceEntry,
  type PriceRatios,
  rescaleEntries,
  toPriceRatios,
} from './price-entries.ts';
import { builtInPrice } from './price-in-dollars.ts';

const usual = 500_000;
const builtInModels = [...new Set([...listedModels, ...Object.keys(modelRatios)])];

/** The table after writing each option in sequence. */
function writtenAll(ratios: PriceRatios, quotaPerUnit: number, keys = priceOptionKeys): readonly PriceEntry[] {
  return keys.reduce<readonly PriceEntry[]>((entries, key) => applyRatios(entries, key, ratios[key], quotaPerUnit), []);
}

const everyRatio = (ratioOf: (model: string, key: PriceOptionKey) => number | undefined): PriceRatios =>
  Object.fromEntries(
    priceOptionKeys.map((key) => [
      key,
      Object.fromEntries(
        builtInModels.flatMap((model) => {
          const ratio = ratioOf(model, key);
          return ratio === undefined ? [] : [[model, ratio]];
        }),
      ),
    ]),
  ) as unknown as PriceRatios;

const builtInRatio = (model: string, key: PriceOptionKey): number | undefined => {
  const { model: input, completion, read, write, longWrite } = builtInRatios(model, 0);
  const ratios: Partial<Record<PriceOptionKey, number | undefined>> = {
    ModelRatio: input,
    CompletionRatio: completion,
    CacheReadRatio: read,
    CacheWriteRatio: write,
    CacheLongWriteRatio: longWrite,
    ReasoningRatio: 1.5,
    AudioRatio: 3,
    CachedAudioRatio: 2,
    AudioOutputRatio: 1.25,
    ImageRatio: 0.5,
    CallRatio: 7,
  };
  return ratios[key];
};

const savedWith = (ratios: PriceRatios): SavedRatios => ({ ...ratios, GroupRatio: {}, QuotaPerUnit: usual });

const counts = [
  { prompt: 1, completion: 1 },
  { prompt: 12_345, completion: 6789 },
  {
    prompt: 3_000_000,
    completion: 3_000_000,
    parts: { cached: 1_000_000, written: 999_999, writtenLong: 7, reasoning: 1_000_001 },
  },
];
const chargesOf = (saved: SavedRatios) =>
  builtInModels.map((model) => {
    const price: Price = priceOf(model, { type: 0 }, '', saved);
    return [model, ...counts.map((count) => quotaOf(count, price))];
  });

describe('ratio options', () => {
  it('ratio options return the values that were written, for every built-in price', () => {
    const written = everyRatio(builtInRatio);
    expect(toPriceRatios(writtenAll(written, usual), usual)).toEqual(written);
    expect(chargesOf(savedWith(toPriceRatios(writtenAll(written, usual), usual)))).toEqual(
      chargesOf(savedWith(written)),
    );
  });

  it.each([500_000, 1, 300_000, 250_000.5, 0.000001, 1e15])(
    'ratio options return the values that were written for any input, at %d points per dollar and in any order',
    (quotaPerUnit) => {
      const next = sampleNumbers(quotaPerUnit);
      const odd = () => (next() < 0.1 ? 0 : next() * 10 ** Math.floor(next() * 24 - 15));
      const written = everyRatio(() => (next() < 0.3 ? undefined : odd()));
      expect(toPriceRatios(writtenAll(written, quotaPerUnit), quotaPerUnit)).toEqual(written);
      const backwards = writtenAll(written, quotaPerUnit, priceOptionKeys.toReversed());
      expect(toPriceRatios(backwards, quotaPerUnit)).toEqual(written);
    },
  );

  it('ratio options are stored in dollars if the input price is saved, otherwise as a ratio', () => {
    const entries = writtenAll(
      { ...noPriceRatios, ModelRatio: { a: 2.5 }, CompletionRatio: { a: 4, 'gpt-5': 3 } },
      usual,
    );
    const amounts = entries.map(({ model, part, unit, amount, currency }) => [model, part, unit, amount, currency]);
    expect(amounts).toEqual([
      ['a', 'input', 'tokens', '5', 'USD'],
      ['a', 'output', 'tokens', '20', 'USD'],
      ['gpt-5', 'output', 'tokens', '3', 'ratio'],
    ]);
    const [audio] = applyRatios([], 'ModelRatio', { 'whisper-1': 15 }, usual);
    expect(audio).toMatchObject({ unit: 'second', amount: '0.0001' });
  });

  it('a ratio option changes only its own part, and amounts in dollars stay as entered', () => {
    const entered = applyPrices([], [{ model: 'a', price: { input: 3, output: 10, cached: 0.3 } }], usual);
    const changed = applyRatios(entered, 'CacheReadRatio', { a: 0.5 }, usual);
    expect(changed.map(({ part, amount }) => [part, amount])).toEqual([
      ['input', '3'],
      ['output', '10'],
      ['cached', '1.5'],
    ]);
    const doubled = applyRatios(entered, 'ModelRatio', { a: 3 }, usual);
    expect(toPriceRatios(doubled, usual)).toEqual({ ...toPriceRatios(entered, usual), ModelRatio: { a: 3 } });
  });
});

describe('dollar prices', () => {
  /** Ratios stored for a price before the price table existed. */
  function earlierRatios(model: string, price: { input: number; output: number; cached: number }): PriceRatios {
    const plain = (ratio: number) => Number(ratio.toPrecision(12));
    return {
      ...noPriceRatios,
      ModelRatio: { [model]: plain((price.input * usual) / pointsPerUnit[priceUnitOf(model)]) },
      ...(price.input > 0 && {
        CompletionRatio: { [model]: plain(price.output / price.input) },
        CacheReadRatio: { [model]: plain(price.cached / price.input) },
      }),
    };
  }

  it('dollar prices charge the same as before the price table existed, for a markup on every built-in price', () => {
    const prices = builtInModels.flatMap((model) => {
      const builtIn = builtInPrice(model, usual);
      if (!builtIn) return [];
      const { input, output, cached } = builtIn;
      return [{ model, price: { input: input * 1.15, output: output * 1.3, cached: cached * 1.7 } }];
    });
    const entries = applyPrices([], prices, usual);
    const earlier = prices.map(({ model, price }) => earlierRatios(model, price));
    const merged = Object.fromEntries(
      priceOptionKeys.map((key) => [key, Object.assign({}, ...earlier.map((ratios) => ratios[key]))]),
    ) as unknown as Pick<OptionValues, PriceOptionKey>;
    expect(prices.length).toBeGreaterThan(500);
    expect(chargesOf(savedWith(toPriceRatios(entries, usual)))).toEqual(chargesOf(savedWith(merged)));
  });

  it('dollar prices keep the entered amount, and their ratios when QuotaPerUnit changes', () => {
    const price = { input: 0.1, output: 0.3333333333333333, reasoning: 0.7 };
    const entered = applyPrices([], [{ model: 'a', price }], usual);
    expect(entered.map(({ amount }) => amount)).toEqual(['0.1', '0.3333333333333333', '0.7']);
    for (const rate of [250_000, 3, 1e9]) {
      const other = rescaleEntries(entered, usual, rate);
      expect(toPriceRatios(other, rate)).toEqual(toPriceRatios(entered, usual));
    }
    expect(rescaleEntries(entered, usual, 250_000)[0]?.amount).toBe('0.2');
  });
});
