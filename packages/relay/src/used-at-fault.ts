import type { Foreseen } from './foresee.ts';
import type { TokenCount } from './price/price.ts';
import type { AnswerLength } from './tokens/answer-length.ts';

/**
 * What a client that has got something pays where a fault of our own ended its request: what was delivered of a stream, and
 * of anything else what was foreseen.
 */
export function usedAtFault({ most, least, used }: Foreseen, length: AnswerLength | undefined): TokenCount {
  const answer = least ?? most;
  const completion = length ? Math.min(length.delivered, most.completion) : answer.completion;
  return { ...answer, prompt: used.prompt, completion, counted: 'estimate' };
}
