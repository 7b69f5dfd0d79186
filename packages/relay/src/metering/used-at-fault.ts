import type { TokenCount } from '../quota/quota-of.ts';
import type { AnswerLength } from '../tokens/answer-length.ts';
import type { UsageEstimate } from './estimated-usage.ts';

/**
 * Charge when an internal error ended a request after part of it was delivered: the delivered part of a stream,
 * otherwise the estimate.
 */
export function usedAtFault({ most, least, used }: UsageEstimate, length: AnswerLength | undefined): TokenCount {
  const answer = least ?? most;
  const completion = length ? Math.min(length.delivered, most.completion) : answer.completion;
  return { ...answer, prompt: used.prompt, completion, counted: 'estimate' };
}
