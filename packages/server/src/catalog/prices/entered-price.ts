import {
  implausiblePriceFactor,
  isServiceTier,
  type PriceChange,
  type PriceInDollars,
  type PricePart,
  priceBases,
  priceParts,
} from '@headgate/contract';
import { priceUnitOf } from '@headgate/relay';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { PriceEntry } from './price-entries.ts';
import { builtInPrice } from './price-in-dollars.ts';

type EnteredPrice = NonNullable<PriceChange['price']>;

/** Also rejected by the ratio options. */
const invalidModelName = '__proto__';

/** The entries after the changes. Amounts equal to the built-in price are not stored. */
export function applyPrices(
  entries: readonly PriceEntry[],
  changes: readonly PriceChange[],
  quotaPerUnit: number,
): PriceEntry[] {
  const changed = new Set<string>();
  const entered = changes.flatMap(({ model, price }) => {
    if (changed.has(model)) throw new ApiError('priceTwice', { model });
    if (model === invalidModelName) throw new ApiError('priceUnnameable', { model });
    changed.add(model);
    return price ? entriesOf(model, price, quotaPerUnit) : [];
  });
  return [...entries.filter(({ model }) => !changed.has(model)), ...entered];
}

function entriesOf(model: string, price: EnteredPrice, quotaPerUnit: number): PriceEntry[] {
  const builtIn = builtInPrice(model, quotaPerUnit);
  if (builtIn) rejectImplausible(model, price, builtIn);
  rejectUnreachable(model, price);
  const { input } = price;
  const unit = priceUnitOf(model);
  const entry = (part: PricePart, amount: number): PriceEntry => ({
    ...{ model, part, unit, amount: String(amount), currency: 'USD' },
  });
  const own = builtIn?.input === input ? [] : [entry('input', input)];
  if (price.call) own.push(entry('call', price.call));
  if (input === 0) return own;
  const usual = (part: PricePart, base: PricePart) =>
    isServiceTier(part) ? 0 : usualRatio(builtIn?.[part], builtIn?.[base]);
  const amountOf = (part: PricePart): number => {
    const base = priceBases[part];
    return price[part] ?? (base === null ? 0 : amountOf(base) * usual(part, base));
  };
  const isOwn = (part: PricePart) => {
    const [given, base] = [price[part], priceBases[part]];
    if (given === undefined || base === null || amountOf(base) === 0) return false;
    const expected = usual(part, base);
    return Math.abs(plain(given / amountOf(base)) - expected) > expected * 1e-9;
  };
  return [...own, ...priceParts.filter(isOwn).map((part) => entry(part, price[part] ?? 0))];
}

const usualRatio = (part: number | undefined, whole: number | undefined) =>
  whole ? plain((part ?? whole) / whole) : 1;

const digits = 12;
const plain = (ratio: number): number => Number(ratio.toPrecision(digits));

function rejectImplausible(model: string, price: EnteredPrice, builtIn: PriceInDollars): void {
  for (const part of priceParts) {
    const [given, known] = [price[part], builtIn[part]];
    if (given === undefined || !given || !known) continue;
    const times = given / known;
    if (times < implausiblePriceFactor && times > 1 / implausiblePriceFactor) continue;
    throw new ApiError('priceImplausible', {
      model,
      part: partLabels[part],
      price: `$${given}`,
      known: `$${known}`,
      times: plainTimes(times),
    });
  }
}

/** The ratio options express parts as multiples: a part of a free input has no multiple and would be free. */
function rejectUnreachable(model: string, price: EnteredPrice): void {
  for (const part of priceParts) {
    const base = priceBases[part];
    if (!price[part] || base === null) continue;
    const whole = price[base] === 0 ? base : 'input';
    if (price[whole] !== 0) continue;
    throw new ApiError('priceOfNothing', { model, part: partLabels[part], whole: partLabels[whole] });
  }
}

const plainTimes = (times: number): string => String(Number(times.toPrecision(2)));

const partLabels: Readonly<Record<PricePart, string>> = {
  input: 'input',
  output: 'output',
  cached: 'cached input',
  cache_write: 'cache write',
  cache_long_write: 'one-hour cache write',
  reasoning: 'reasoning',
  audio: 'audio input',
  cached_audio: 'cached audio',
  audio_output: 'audio output',
  image: 'image input',
  cached_image: 'cached image',
  image_output: 'image output',
  flex: 'flex tier',
  priority: 'priority tier',
  call: 'per request',
};
