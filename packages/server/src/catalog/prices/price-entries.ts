import {
  type OptionValues,
  type PriceCurrency,
  type PriceOptionKey,
  type PricePart,
  pointsPerCall,
  priceBases,
  priceOptionKeys,
  priceOptions,
  priceParts,
} from '@headgate/contract';
import { builtInRatios, type PriceUnit, pointsPerUnit, priceUnitOf } from '@headgate/relay';
import { type Decimal, decimalToNumber, divide, formatDecimal, isZero, multiply, parseDecimal } from './decimal.ts';
import { builtInPrice } from './price-in-dollars.ts';

/** One part of a model's saved price. */
export interface PriceEntry {
  readonly model: string;
  readonly part: PricePart;
  readonly unit: PriceUnit;
  readonly amount: string;
  readonly currency: PriceCurrency;
}

/** Saved prices in the form of the options. */
export type PriceRatios = Pick<OptionValues, PriceOptionKey>;

type OwnParts = ReadonlyMap<PricePart, PriceEntry>;

export const noPriceRatios: PriceRatios = emptyRatios();

function emptyRatios(): Record<PriceOptionKey, Record<string, number>> {
  return Object.fromEntries(priceOptionKeys.map((key) => [key, {}])) as Record<PriceOptionKey, Record<string, number>>;
}

const optionOf = Object.fromEntries(priceOptionKeys.map((key) => [priceOptions[key], key])) as Readonly<
  Record<PricePart, PriceOptionKey>
>;

/** Saved prices as ratios, in the order of the entries. */
export function toPriceRatios(entries: readonly PriceEntry[], quotaPerUnit: number): PriceRatios {
  const ratios = emptyRatios();
  const models = byModel(entries);
  for (const entry of entries) {
    const ratio = ratioOf(entry, models.get(entry.model) ?? new Map(), quotaPerUnit);
    if (ratio !== undefined) ratios[optionOf[entry.part]][entry.model] = ratio;
  }
  return ratios;
}

function byModel(entries: readonly PriceEntry[]): ReadonlyMap<string, OwnParts> {
  const models = new Map<string, Map<PricePart, PriceEntry>>();
  for (const entry of entries) {
    const parts = models.get(entry.model) ?? new Map<PricePart, PriceEntry>();
    models.set(entry.model, parts.set(entry.part, entry));
  }
  return models;
}

/** Undefined for a part of a zero price. */
function ratioOf(entry: PriceEntry, own: OwnParts, quotaPerUnit: number): number | undefined {
  const { model, part, unit, amount, currency } = entry;
  if (currency === 'ratio') return Number(amount);
  const base = priceBases[part];
  if (base === null)
    return decimalToNumber(divide(multiply(parseDecimal(amount), thirds(quotaPerUnit)), thirdsOf(part, unit)));
  const whole = dollarsOf({ model, part: base }, own, quotaPerUnit);
  return isZero(whole) ? undefined : decimalToNumber(divide(parseDecimal(amount), whole));
}

/** Price of a part: the saved one, otherwise the built-in multiple of its base price. */
function dollarsOf({ model, part }: Pick<PriceEntry, 'model' | 'part'>, own: OwnParts, quotaPerUnit: number): Decimal {
  const saved = own.get(part);
  if (saved?.currency === 'USD') return parseDecimal(saved.amount);
  const base = priceBases[part];
  if (base === null) return parseDecimal(saved?.amount ?? builtInPrice(model, quotaPerUnit)?.[part] ?? 0);
  return multiply(
    dollarsOf({ model, part: base }, own, quotaPerUnit),
    parseDecimal(saved?.amount ?? builtInPartRatio(model, part)),
  );
}

/** Ratio of a built-in part to its base. */
function builtInPartRatio(model: string, part: PricePart): number {
  const { completion, read } = builtInRatios(model, anyType);
  return part === 'output' ? completion : part === 'cached' ? read : 1;
}

const anyType = 0;

/** Points per unit at ratio 1, times three so that it is an integer: a second of audio costs ten thirds of a point. */
const thirdsOf = (part: PricePart, unit: PriceUnit): Decimal =>
  parseDecimal(Math.round((part === 'call' ? pointsPerCall : pointsPerUnit[unit]) * 3));
const thirds = (points: number): Decimal => multiply(parseDecimal(points), parseDecimal(3));

/**
 * The entries after writing a ratio option. Only the named part changes; the other options return the same values as
 * before.
 */
export function applyRatios(
  entries: readonly PriceEntry[],
  key: PriceOptionKey,
  after: Readonly<Record<string, number>>,
  quotaPerUnit: number,
): PriceEntry[] {
  const before = toPriceRatios(entries, quotaPerUnit);
  const names = new Set([...Object.keys(before[key]), ...Object.keys(after)]);
  const changed = new Set([...names].filter((name) => before[key][name] !== after[name]));
  const models = byModel(entries);
  return [
    ...entries.filter(({ model }) => !changed.has(model)),
    ...[...changed].flatMap((model) => {
      const ratios = { ...before, [key]: after };
      return rewritten(model, models.get(model) ?? new Map(), { part: priceOptions[key], ratios, quotaPerUnit });
    }),
  ];
}

interface Rewriting {
  readonly part: PricePart;
  readonly ratios: PriceRatios;
  readonly quotaPerUnit: number;
}

/** Parts that are multiples of the changed one keep their ratio to it. */
function rewritten(model: string, own: OwnParts, { part, ratios, quotaPerUnit }: Rewriting): PriceEntry[] {
  const affected = affectedBy(part);
  const parts = new Map([...own].filter(([each]) => !affected.includes(each)));
  for (const each of affected) {
    const table = ratios[optionOf[each]];
    const ratio = Object.hasOwn(table, model) ? table[model] : undefined;
    if (ratio !== undefined) parts.set(each, entryOfRatio({ model, part: each, ratio }, parts, quotaPerUnit));
  }
  return [...parts.values()];
}

/** The part and all parts priced as a ratio of it, directly or indirectly. Each part follows its base. */
const affectedBy = (part: PricePart): readonly PricePart[] => [
  part,
  ...priceParts.filter((each) => priceBases[each] === part).flatMap(affectedBy),
];

interface GivenRatio {
  readonly model: string;
  readonly part: PricePart;
  readonly ratio: number;
}

/**
 * In dollars if the base price is saved; otherwise as a ratio, because a built-in base price may change with the
 * version.
 */
function entryOfRatio({ model, part, ratio }: GivenRatio, own: OwnParts, quotaPerUnit: number): PriceEntry {
  const unit = priceUnitOf(model);
  const inDollars = (amount: Decimal): PriceEntry => ({
    ...{ model, part, unit, amount: formatDecimal(amount), currency: 'USD' },
  });
  const base = priceBases[part];
  if (base === null) {
    return inDollars(divide(multiply(parseDecimal(ratio), thirdsOf(part, unit)), thirds(quotaPerUnit)));
  }
  const whole = own.get(base);
  const amount = whole?.currency === 'USD' ? parseDecimal(whole.amount) : undefined;
  if (amount && !isZero(amount)) return inDollars(multiply(amount, parseDecimal(ratio)));
  return { model, part, unit, amount: String(ratio), currency: 'ratio' };
}

/** Entries for a new quota per dollar. Ratios, and therefore charges, stay the same. */
export const rescaleEntries = (entries: readonly PriceEntry[], before: number, after: number): PriceEntry[] =>
  entries.map((entry) =>
    entry.currency === 'USD'
      ? {
          ...entry,
          amount: formatDecimal(
            divide(multiply(parseDecimal(entry.amount), parseDecimal(before)), parseDecimal(after)),
          ),
        }
      : entry,
  );
