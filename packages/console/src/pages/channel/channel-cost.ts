import { type ChannelCost, costPrice, type ModelCostOverride, readChannelCost } from '@headgate/contract';

/** Form fields of a purchase price. */
interface CostForm {
  readonly purchase_multiplier: string;
  /** One line per model or pattern, with its prices in dollars or a multiple of the list price. */
  readonly purchase_models: string;
}

type Prices = ChannelCost['models'];

export function costFields(text: string): CostForm {
  const stored = readChannelCost(text);
  if (!stored) return { purchase_multiplier: '', purchase_models: '' };
  const lines = Object.entries(stored.models).map(([model, price]) => `${model} ${amountsOf(price)}`);
  return {
    purchase_multiplier: stored.multiplier === 1 ? '' : String(stored.multiplier),
    purchase_models: lines.join('\n'),
  };
}

/** Serialized purchase price; empty for list prices. */
export function serializeCost({ purchase_multiplier, purchase_models }: CostForm): string {
  const models = readCostOverrides(purchase_models) ?? {};
  const multiplier = readCostMultiplier(purchase_multiplier) ?? 1;
  return multiplier === 1 && Object.keys(models).length === 0 ? '' : JSON.stringify({ multiplier, models });
}

/** Undefined if invalid; 1 if empty. */
export function readCostMultiplier(text: string): number | undefined {
  if (text.trim() === '') return 1;
  const number = Number(text.trim().replace(',', '.'));
  return Number.isFinite(number) && number >= 0 && number <= 1000 ? number : undefined;
}

/** Line format: dollar amounts, with `+` before the price per request, or `×` before a multiple of the list price. */
function amountsOf(price: ModelCostOverride): string {
  if (!('input' in price)) return `×${price.multiplier}`;
  const { input, output, cached, cache_write, call } = price;
  const amounts = [
    input,
    output,
    ...(cached === undefined && cache_write !== undefined ? [input] : [cached]),
    cache_write,
  ];
  return [...amounts.filter((part) => part !== undefined), ...(call === undefined ? [] : [`+${call}`])].join(' ');
}

/** Undefined if a line is invalid. */
export function readCostOverrides(text: string): Prices | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map((line) => {
    const [model = '', ...amounts] = line.trim().split(/[\s,;]+/);
    const price = readAmounts(amounts);
    return price && ([model, price] as const);
  });
  return entries.includes(undefined) ? undefined : Object.fromEntries(entries.filter((entry) => entry !== undefined));
}

function readAmounts(amounts: readonly string[]): ModelCostOverride | undefined {
  const [first = ''] = amounts;
  if (/^[×x*]/i.test(first)) {
    const multiplier = amounts.length === 1 && first.length > 1 ? readCostMultiplier(first.slice(1)) : undefined;
    return multiplier === undefined ? undefined : { multiplier };
  }
  const isCall = (amount: string) => amount.startsWith('+');
  const [tokens, calls] = [amounts.filter((amount) => !isCall(amount)), amounts.filter(isCall)];
  const numbers = [...tokens, ...calls].map((amount) => amount.replace(/^\+?\$?/, ''));
  if (tokens.length > 4 || calls.length > 1 || numbers.includes('')) return undefined;
  const [input, output, cached, cache_write] = numbers.slice(0, tokens.length).map(Number);
  const call = calls.length > 0 ? Number(numbers.at(-1)) : undefined;
  return costPrice.safeParse({ input, output, cached, cache_write, call }).data;
}
