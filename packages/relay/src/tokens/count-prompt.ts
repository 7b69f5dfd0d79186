import type { RelayRequest } from '../request/read-request.ts';
import { estimatePrompt } from './estimate-tokens.ts';
import { promptTexts } from './prompt-texts.ts';
import { promptTotal } from './prompt-total.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Tokens of a request's prompt, by our own tokenizer; by its length where that takes too long. */
export async function countPrompt(request: RelayRequest, tokenizer: Tokenizer): Promise<number> {
  const counted = await promptTotal(promptTexts(request), () => tokenizer.sumFor(request.model));
  return counted ?? estimatePrompt(request);
}
