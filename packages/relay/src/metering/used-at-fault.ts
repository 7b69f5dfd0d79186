import type { TokenCount } from '../quota/quota-of.ts';
import type { AnswerLength } from '../tokens/answer-length.ts';
import type { UsageEstimate } from './estimated-usage.ts';

/**
 * What a client that has got something pays where a fault of our own ended its request: what was delivered of a stream, and
 * of anything else what was estimated.
 */
export function usedAtFault({ most, least, used }: UsageEstimate, length: AnswerLength | undefined): TokenCount {
  const answer = least ?? most;
  const completion = length ? Math.min(length.delivered, most.completion) : answer.completion;
  return { ...answer, prompt: used.prompt, completion, counted: 'estimate' };
}
