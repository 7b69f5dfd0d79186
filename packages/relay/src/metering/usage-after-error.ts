import type { TokenCount } from '../quota/quota-of.ts';
import type { ResponseLength } from '../tokens/response-length.ts';
import type { UsageEstimate } from './estimated-usage.ts';

/**
 * Charge when an internal error ended a request after part of it was delivered: the delivered part of a stream,
 * otherwise the estimate.
 */
export function usageAfterError({ most, least, used }: UsageEstimate, length: ResponseLength | undefined): TokenCount {
  const estimate = least ?? most;
  const completion = length ? Math.min(length.delivered, most.completion) : estimate.completion;
  return { ...estimate, prompt: used.prompt, completion, counted: 'estimate' };
}
