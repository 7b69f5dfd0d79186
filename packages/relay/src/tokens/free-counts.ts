import type { RelayRequest } from '../request/read-request.ts';
import { countPromptTokens } from './count-prompt-tokens.ts';
import { estimatePrompt } from './estimate-tokens.ts';
import { promptTexts } from './prompt-texts.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Longer prompts are estimated by length. */
const maxCharacters = 1_000_000;

/**
 * Counts tokens of prompts that are not charged. Counts run one at a time, so that paid requests find room in the
 * queue.
 */
export class FreePromptCounter {
  readonly #tokenizer: Tokenizer;
  #last: Promise<unknown> = Promise.resolve();

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** Counts a prompt with the tokenizer, or estimates it by length when counting would take too long. */
  async count(request: RelayRequest): Promise<number> {
    const prompt = promptTexts(request);
    const characters = prompt.texts.reduce((sum, text) => sum + text.length, 0);
    if (characters > maxCharacters) return estimatePrompt(request);
    const counting = this.#last.then(() => countPromptTokens(prompt, () => this.#tokenizer.sumFor(request.model)));
    this.#last = counting.catch(() => undefined);
    return (await counting) ?? estimatePrompt(request);
  }
}
