import { claimNames } from '@headgate/dialects';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { partsWithin, type TokenCount, type TokenParts } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { AnswerLength } from '../tokens/answer-length.ts';
import type { AnswerTexts } from '../tokens/answer-texts.ts';
import { promptTexts } from '../tokens/prompt-texts.ts';
import { promptTotal } from '../tokens/prompt-total.ts';
import { TextTally } from '../tokens/text-tally.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { UsageReporters } from '../tokens/usage-reporters.ts';
import { everyText } from './every-text.ts';
import { mostCountOf, mostEstimateOf, withinLimit } from './own-limit.ts';
import { type CountedPrompt, countedPrompt, promptBound } from './prompt-bound.ts';
import { type ReportedUsage, readUsage } from './read-usage.ts';
import { unitsOfText } from './transcription.ts';

/** Of text that is kept before it is handed on. Who may yet tell gets more, so that the thread is not started in vain. */
const batchBytes = 4 * 1024;
const patientBatchBytes = 32 * 1024;

/** Milliseconds to wait for a count that decides whether a request is let in: later is better than never. */
const patienceBefore = 20_000;

interface TokenCounters {
  readonly tokenizer: Tokenizer;
  readonly usageReporters: UsageReporters;
}

/** A request whose use is counted. */
interface Asked {
  readonly request: RelayRequest;
  /** Tokens of the prompt, by its length. */
  readonly prompt: number;
  /** Tokens that the answer may have by the request's own words; undefined when it says nothing of that. */
  readonly limit: number | undefined;
  /** Nothing is counted but lengths. */
  readonly isEstimate: boolean;
}

/** A stream that came to an end. */
export interface EndedStream {
  readonly reported: ReportedUsage;
  readonly length: AnswerLength;
  /** Whether what was told is the last word on all that was delivered, on more than that, or on a beginning. */
  readonly reportCovers: 'all' | 'more' | 'beginning';
}

interface Counted {
  readonly tokens: number;
  readonly by: 'tokenizer' | 'estimate';
}

/** What a request used: by the upstream's word where that can be, else counted here, or by the length of the text. */
export class OwnCount {
  readonly #counters: TokenCounters;
  readonly #asked: Asked;
  #prompt: Promise<number | undefined> | undefined;

  constructor(counters: TokenCounters, asked: Asked) {
    this.#counters = counters;
    this.#asked = asked;
  }

  lengthFor(channel: number): AnswerLength {
    if (this.#asked.isEstimate) return new AnswerLength();
    const batch = this.#counters.usageReporters.tells(channel) === false ? batchBytes : patientBatchBytes;
    return new AnswerLength(new TextTally(() => this.#openSum(), batch));
  }

  /** What was told of a whole answer, when nothing about it is odd. */
  ofReported({ prompt, completion, parts, implausible }: ReportedUsage): TokenCount | undefined {
    const { request, limit = Number.POSITIVE_INFINITY } = this.#asked;
    if (prompt === undefined || completion === undefined || implausible !== undefined || completion > limit)
      return undefined;
    if (completion === 0 && request.kind.answersText) return undefined;
    return parts ? { prompt, completion, parts } : { prompt, completion };
  }

  /** What a whole answer used that says this. */
  async ofWhole(estimate: TokenCount, reported: ReportedUsage, answerTexts: AnswerTexts): Promise<TokenCount> {
    const { costs } = this.#asked.request.kind;
    if (costs === 'images' || costs === 'characters') return estimate;
    const length = new AnswerLength(
      this.#asked.isEstimate ? undefined : new TextTally(() => this.#openSum(), batchBytes),
    );
    length.add(answerTexts);
    length.deliver();
    if (costs === 'tokens' || costs === 'ranking') return this.ofStream({ reported, length, reportCovers: 'all' });
    const { tokens, by } = await this.#answer(length);
    // Silence has no text, and costs the upstream the same.
    const { units = 0 } = estimate;
    const spoken = unitsOfText(this.#asked.request.model, tokens);
    return spoken > units ? { ...estimate, units: spoken, counted: by } : estimate;
  }

  /** What a stream used, as far as it was delivered; at once where all was reported. */
  ofStream(stream: EndedStream): TokenCount | Promise<TokenCount> {
    const reported = stream.reportCovers === 'all' ? this.ofReported(stream.reported) : undefined;
    if (!reported) return this.#counted(stream);
    stream.length.drop();
    return reported;
  }

  async #counted(stream: EndedStream): Promise<TokenCount> {
    const { reported, length } = stream;
    const limit = this.#asked.limit ?? Number.POSITIVE_INFINITY;
    const { word, isLastWord, implausible } = judge(stream, limit);
    if (isLastWord) length.drop();
    const [prompt, answer] = await Promise.all([
      reported.prompt === undefined ? this.#promptOrEstimate() : undefined,
      isLastWord ? undefined : this.#answer(length),
    ]);
    // Thoughts that nobody sees are within the limit; more than that is paid only where it was delivered.
    const completion = Math.max(Math.min(word, limit), Math.min(answer?.tokens ?? 0, word > limit ? word : Infinity));
    return {
      prompt: prompt?.tokens ?? reported.prompt ?? 0,
      completion,
      ...(reported.parts && { parts: partsCharged(reported, completion) }),
      ...countedBy(prompt?.by, completion === word ? undefined : answer?.by),
      ...(implausible !== undefined && { implausible }),
    };
  }

  /** What a request used whose answer was not waited for. */
  async ofPrompt(estimate: TokenCount): Promise<TokenCount> {
    if (estimate.units !== undefined) return estimate;
    const implausible = this.#implausibleIn(estimate);
    if (!estimate.counted && implausible === undefined) return estimate;
    const { tokens, by } = await this.#promptOrEstimate();
    return { prompt: tokens, completion: 0, counted: by, ...(implausible !== undefined && { implausible }) };
  }

  /** Tokens of the prompt by the tokenizer, or a bound by its bytes where that cannot count. */
  async closePrompt(channels: readonly RelayChannel[]): Promise<CountedPrompt> {
    const { request, isEstimate } = this.#asked;
    const given = isEstimate ? undefined : everyText(request, channels);
    const counted = given && (await this.#countTexts(given.texts));
    if (given && counted !== undefined) {
      const textBytes = given.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      return countedPrompt(request, channels, counted + given.tokens, textBytes);
    }
    const bound = promptBound(request, channels);
    return { expected: bound, bound };
  }

  #countTexts(texts: readonly string[]): Promise<number | undefined> {
    const sum = this.#counters.tokenizer.sumFor(this.#asked.request.model, patienceBefore);
    sum.add(texts);
    return sum.total();
  }

  /** Beside a refusal an upstream may tell what cannot be, too. */
  #implausibleIn({ prompt, completion }: TokenCount): string | undefined {
    return readUsage({ promptTokens: prompt, completionTokens: completion }, this.#asked.request).implausible;
  }

  /** Tokens of the prompt; undefined when nobody can count them. */
  prompt(): Promise<number | undefined> {
    this.#prompt ??= this.#countPrompt();
    return this.#prompt;
  }

  async #promptOrEstimate(): Promise<Counted> {
    const counted = await this.prompt();
    return counted === undefined
      ? { tokens: this.#asked.prompt, by: 'estimate' }
      : { tokens: counted, by: 'tokenizer' };
  }

  async #answer(length: AnswerLength): Promise<Counted> {
    const counted = await length.total();
    const { limit } = this.#asked;
    if (counted !== undefined) return { tokens: withinLimit(counted, limit, mostCountOf), by: 'tokenizer' };
    return { tokens: withinLimit(length.delivered, limit, mostEstimateOf), by: 'estimate' };
  }

  async #countPrompt(): Promise<number | undefined> {
    if (this.#asked.isEstimate) return undefined;
    const counted = await promptTotal(promptTexts(this.#asked.request), () => this.#openSum());
    return counted === undefined ? undefined : counted + (this.#asked.request.earlier?.tokens ?? 0);
  }

  #openSum() {
    return this.#counters.tokenizer.sumFor(this.#asked.request.model);
  }
}

/** What was told of an answer, and whether that is all there is to know. */
function judge({ reported, length, reportCovers }: EndedStream, limit: number) {
  const { completion } = reported;
  const isNothing = completion === 0 && length.delivered > 0;
  const word = reportCovers === 'more' ? 0 : (completion ?? 0);
  const implausible =
    reported.implausible ?? (isNothing || word > limit ? `${claimNames.completion} ${completion}` : undefined);
  const isLastWord = reportCovers === 'all' && completion !== undefined && !isNothing && word <= limit;
  return { word, isLastWord, implausible };
}

/** What was told of caches and audio belongs to the prompt that was told, and the rest to what is charged of the answer. */
function partsCharged({ prompt, parts = noParts }: ReportedUsage, completion: number): TokenParts {
  const { reasoning, audioCompletion = 0, imageCompletion = 0 } = parts;
  const ofAnswer = { ...noParts, reasoning, audioCompletion, imageCompletion };
  return partsWithin(prompt === undefined ? ofAnswer : parts, completion);
}

const noParts: TokenParts = { cached: 0, written: 0, writtenLong: 0, reasoning: 0 };

/** A sum is no better than its worse part. */
function countedBy(...parts: readonly (Counted['by'] | undefined)[]): Pick<TokenCount, 'counted'> {
  if (parts.includes('estimate')) return { counted: 'estimate' };
  return parts.includes('tokenizer') ? { counted: 'tokenizer' } : {};
}
