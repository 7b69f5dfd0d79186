import type { OwnPrice } from '@headgate/contract';
import type { TokenUsage } from './response-reader.ts';

const million = 1_000_000;

/** Price times tokens, for models billed by tokens. */
export function usageCost(usage: TokenUsage, price: OwnPrice | undefined): number | undefined {
  if (!price?.has_price || price.unit !== 'tokens') return undefined;
  const { input, output, call } = price.price;
  return (usage.prompt_tokens * input + usage.completion_tokens * output) / million + call;
}
