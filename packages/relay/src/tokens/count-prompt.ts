import type { RelayRequest } from '../request/read-request.ts';
import { estimatePrompt } from './estimate-tokens.ts';
import { promptTexts } from './prompt-texts.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Tokens of a request's prompt, by our own tokenizer; by its length where that takes too long. */
export async function countPrompt(request: RelayRequest, tokenizer: Tokenizer): Promise<number> {
  const { texts, tokens } = promptTexts(request);
  const sum = tokenizer.sumFor(request.model);
  sum.add(texts);
  const counted = await sum.total();
  return counted === undefined ? estimatePrompt(request) : counted + tokens;
}
