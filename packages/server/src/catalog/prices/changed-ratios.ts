import {
  implausibleTimes,
  type OptionValues,
  type PriceChange,
  type PriceInDollars,
  type PricePart,
  priceParts,
} from '@headgate/contract';
import { pointsPerUnit, priceUnitOf } from '@headgate/relay';
import { Refusal } from '../../platform/errors/refusal.ts';
import { builtInPrice } from './price-in-dollars.ts';

/** The options in which prices are kept. */
export const ratioKeys = [
  'ModelRatio',
  'CompletionRatio',
  'CacheReadRatio',
  'CacheWriteRatio',
  'CacheLongWriteRatio',
  'ReasoningRatio',
] as const;
type RatioKey = (typeof ratioKeys)[number];
type Ratios = Record<string, number>;

/** What is set under this name goes nowhere; the tables of the settings refuse it too. */
const unnameable = '__proto__';

/** The tables as they are to be after the changes: what costs the built-in price is not kept. */
export function changedRatios(changes: readonly PriceChange[], before: OptionValues): Record<RatioKey, Ratios> {
  const after = Object.fromEntries(ratioKeys.map((key) => [key, { ...before[key] }])) as Record<RatioKey, Ratios>;
  const seen = new Set<string>();
  for (const { model, price } of changes) {
    if (seen.has(model)) throw new Refusal('priceTwice', { model });
    if (model === unnameable) throw new Refusal('priceUnnameable', { model });
    seen.add(model);
    for (const key of ratioKeys) delete after[key][model];
    if (price) enter(after, model, price, before.QuotaPerUnit);
  }
  return after;
}

function enter(
  after: Record<RatioKey, Ratios>,
  model: string,
  price: NonNullable<PriceChange['price']>,
  quotaPerUnit: number,
): void {
  const builtIn = builtInPrice(model, quotaPerUnit);
  if (builtIn) refuseImplausible(model, price, builtIn);
  refuseUnreachable(model, price);
  const { input } = price;
  const points = pointsPerUnit[priceUnitOf(model)];
  if (builtIn?.input !== input) after.ModelRatio[model] = plain((input * quotaPerUnit) / points);
  if (input === 0) return;
  const set = (key: RatioKey, part: number | undefined, whole: number, usual: number) => {
    const ratio = part === undefined || whole === 0 ? usual : plain(part / whole);
    if (Math.abs(ratio - usual) > usual * 1e-9) after[key][model] = ratio;
  };
  const usual = (part: number | undefined, whole: number | undefined) => (whole ? plain((part ?? whole) / whole) : 1);
  const output = price.output ?? input * usual(builtIn?.output, builtIn?.input);
  const writes = usual(builtIn?.cache_write, builtIn?.input);
  set('CompletionRatio', price.output, input, usual(builtIn?.output, builtIn?.input));
  set('CacheReadRatio', price.cached, input, usual(builtIn?.cached, builtIn?.input));
  set('CacheWriteRatio', price.cache_write, input, writes);
  set('CacheLongWriteRatio', price.cache_long_write, input, usual(builtIn?.cache_long_write, builtIn?.input));
  set('ReasoningRatio', price.reasoning, output, 1);
}

const digits = 12;
const plain = (ratio: number): number => Number(ratio.toPrecision(digits));

function refuseImplausible(model: string, price: NonNullable<PriceChange['price']>, builtIn: PriceInDollars): void {
  for (const part of priceParts) {
    const [given, known] = [price[part], builtIn[part]];
    if (given === undefined || !given || !known) continue;
    const times = given / known;
    if (times < implausibleTimes && times > 1 / implausibleTimes) continue;
    throw new Refusal('priceImplausible', {
      model,
      part: partWords[part],
      price: `$${given}`,
      known: `$${known}`,
      times: plainTimes(times),
    });
  }
}

/** Parts are kept as multiples: of nothing there is none, and the part would be free. */
function refuseUnreachable(model: string, price: NonNullable<PriceChange['price']>): void {
  for (const part of priceParts) {
    const whole = part === 'reasoning' && price.output === 0 ? 'output' : 'input';
    if (!price[part] || price[whole] !== 0) continue;
    throw new Refusal('priceOfNothing', { model, part: partWords[part], whole: partWords[whole] });
  }
}

const plainTimes = (times: number): string => String(Number(times.toPrecision(2)));

const partWords: Readonly<Record<PricePart, string>> = {
  input: 'input',
  output: 'output',
  cached: 'cached input',
  cache_write: 'cache writing',
  cache_long_write: 'cache writing for an hour',
  reasoning: 'reasoning',
};
