import { estimateTokens } from '../count-tokens.ts';
import { everyText } from '../hold/every-text.ts';
import { closerBound, promptBound } from '../hold/prompt-bound.ts';
import type { RelayChannel } from '../ports.ts';
import type { TokenCount } from '../price/price.ts';
import type { RelayRequest } from '../read-request.ts';
import { promptTexts } from './prompt-texts.ts';
import type { Telling } from './telling.ts';
import { TextTally } from './text-tally.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Of text that is kept before it is handed on. Who may yet tell gets more, so that the thread is not started in vain. */
const batchBytes = 4 * 1024;
const patientBatchBytes = 32 * 1024;

/** Milliseconds to wait for a count that decides whether a request is let in: later is better than never. */
const patienceBefore = 20_000;

interface Parts {
  readonly tokenizer: Tokenizer;
  readonly telling: Telling;
}

/** Counts what a request used when its upstream does not tell. Where the tokenizer cannot, the length of the text decides. */
export class OwnCount {
  readonly #parts: Parts;
  readonly #request: RelayRequest;
  readonly #isEstimate: boolean;

  constructor(parts: Parts, request: RelayRequest, isEstimate: boolean) {
    this.#parts = parts;
    this.#request = request;
    this.#isEstimate = isEstimate;
  }

  /** Undefined for a channel that is known to tell: its streams go by unread. */
  tallyFor(channel: number): TextTally | undefined {
    const tells = this.#parts.telling.tells(channel);
    if (tells || this.#isEstimate) return undefined;
    return new TextTally(
      this.#parts.tokenizer.sumFor(this.#request.model),
      tells === false ? batchBytes : patientBatchBytes,
    );
  }

  /** Of a whole answer that says this. */
  async ofWhole(foreseen: TokenCount, said: readonly string[]): Promise<TokenCount> {
    const { costs } = this.#request.kind;
    if (costs === 'images' || costs === 'characters') return foreseen;
    const estimate = estimateTokens(said.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
    const sum = this.#isEstimate ? undefined : this.#parts.tokenizer.sumFor(this.#request.model);
    sum?.add(said);
    if (costs === 'tokens') return this.#both({ ...foreseen, completion: estimate }, sum);
    const units = await sum?.total();
    return { ...foreseen, units: units ?? estimate, counted: units === undefined ? 'estimate' : 'tokenizer' };
  }

  /** Of a stream, as far as it went. */
  async ofStream(seen: TokenCount, tally: TextTally | undefined, toldPrompt: number | undefined): Promise<TokenCount> {
    if (seen.counted && !this.#isEstimate) return this.#both(seen, tally, toldPrompt);
    tally?.drop();
    return seen;
  }

  /** Of a request whose answer was not waited for. */
  async ofPrompt(foreseen: TokenCount): Promise<TokenCount> {
    return foreseen.counted && !this.#isEstimate ? this.#both(foreseen, undefined) : foreseen;
  }

  /** No prompt has more tokens; by the tokenizer, where it can. */
  async promptBound(channels: readonly RelayChannel[]): Promise<number> {
    const given = this.#isEstimate ? undefined : everyText(this.#request, channels);
    if (!given) return promptBound(this.#request, channels);
    const sum = this.#parts.tokenizer.sumFor(this.#request.model, patienceBefore);
    sum.add(given.texts);
    const counted = await sum.total();
    return counted === undefined
      ? promptBound(this.#request, channels)
      : closerBound(this.#request, channels, counted + given.tokens);
  }

  async #both(
    estimate: TokenCount,
    answer: Pick<TextTally, 'total'> | undefined,
    toldPrompt?: number | undefined,
  ): Promise<TokenCount> {
    if (this.#isEstimate) return estimate;
    const unheard = estimate.completion === 0 ? 0 : undefined;
    const [prompt, completion] = await Promise.all([toldPrompt ?? this.#prompt(), answer ? answer.total() : unheard]);
    return {
      prompt: prompt ?? estimate.prompt,
      completion: completion ?? estimate.completion,
      counted: prompt === undefined || completion === undefined ? 'estimate' : 'tokenizer',
    };
  }

  async #prompt(): Promise<number | undefined> {
    const { texts, tokens } = promptTexts(this.#request);
    const sum = this.#parts.tokenizer.sumFor(this.#request.model);
    sum.add(texts);
    const counted = await sum.total();
    return counted === undefined ? undefined : counted + tokens;
  }
}
