import { type Purchase, purchasePrice, readPurchase } from '@headgate/contract';

/** Form fields of a purchase price. */
interface PurchaseForm {
  readonly purchase_multiplier: string;
  /** One line per model, with its prices in dollars. */
  readonly purchase_models: string;
}

type Prices = Purchase['models'];

export function purchaseFields(text: string): PurchaseForm {
  const stored = readPurchase(text);
  if (!stored) return { purchase_multiplier: '', purchase_models: '' };
  const lines = Object.entries(stored.models).map(([model, { input, output, cached, cache_write }]) =>
    [model, input, output, cached, cache_write].filter((part) => part !== undefined).join(' '),
  );
  return {
    purchase_multiplier: stored.multiplier === 1 ? '' : String(stored.multiplier),
    purchase_models: lines.join('\n'),
  };
}

/** Serialized purchase price; empty for list prices. */
export function purchaseOf({ purchase_multiplier, purchase_models }: PurchaseForm): string {
  const models = readPurchaseModels(purchase_models) ?? {};
  const multiplier = readMultiplier(purchase_multiplier) ?? 1;
  return multiplier === 1 && Object.keys(models).length === 0 ? '' : JSON.stringify({ multiplier, models });
}

/** Undefined if invalid; 1 if empty. */
export function readMultiplier(text: string): number | undefined {
  if (text.trim() === '') return 1;
  const number = Number(text.trim().replace(',', '.'));
  return Number.isFinite(number) && number >= 0 && number <= 1000 ? number : undefined;
}

/** Undefined if a line is invalid. */
export function readPurchaseModels(text: string): Prices | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map((line) => {
    const [model = '', ...amounts] = line.trim().split(/[\s,;]+/);
    const [input, output, cached, cache_write] = amounts.map((amount) => Number(amount.replace(/^\$/, '')));
    const { data: price } = purchasePrice.safeParse({ input, output, cached, cache_write });
    return price && amounts.length <= 4 ? ([model, price] as const) : undefined;
  });
  return entries.includes(undefined) ? undefined : Object.fromEntries(entries.filter((entry) => entry !== undefined));
}
