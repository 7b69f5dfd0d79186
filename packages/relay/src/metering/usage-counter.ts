import {
  fieldsIgnoredByModel,
  type JsonObject,
  type PromptFields,
  structuralMessageFields,
  usagePartNames,
} from '@headgate/dialects';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { capMediaTokens, capTokenParts, type TokenCount, type TokenParts } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { countPromptTokens, promptTexts } from '../tokens/prompt-tokens.ts';
import { ResponseLength } from '../tokens/response-length.ts';
import type { ResponseTexts } from '../tokens/response-texts.ts';
import { TextTally } from '../tokens/text-tally.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { UsageReporters } from '../tokens/usage-reporters.ts';
import { readAttachments } from './attachments.ts';
import { capAtLimit, maxCountForLimit, maxEstimateForLimit } from './output-limit.ts';
import { estimatePromptTokens, type PromptTokenEstimate, promptTokenBound } from './prompt-bound.ts';
import { type ReportedUsage, readUsage } from './read-usage.ts';
import { textUnitsCharge } from './transcription.ts';

/**
 * Bytes of text buffered before they are sent to the tokenizer thread. The buffer is larger while the upstream may
 * still report usage, which would make the count unnecessary.
 */
const batchBytes = 4 * 1024;
const largeBatchBytes = 32 * 1024;

/** Maximum wait, in milliseconds, for a count on which admission depends. */
const admissionTimeoutMs = 20_000;

interface TokenCounters {
  readonly tokenizer: Tokenizer;
  readonly usageReporters: UsageReporters;
}

/** A request whose usage is counted. */
interface CountedRequest {
  readonly request: RelayRequest;
  /** Prompt tokens, estimated by length. */
  readonly prompt: number;
  /** Output limit set by the request; undefined without one. */
  readonly limit: number | undefined;
  /** Audio and image tokens that the prompt may contain; undefined if there are none. */
  readonly media?: TokenParts | undefined;
  /** Only the lengths are used, without counting tokens. */
  readonly isEstimate: boolean;
}

export interface FinishedStream {
  readonly reported: ReportedUsage;
  readonly length: ResponseLength;
  /** Whether the reported usage covers the delivered content, more than that, or only its start. */
  readonly reportCovers: 'all' | 'more' | 'beginning';
}

interface Counted {
  readonly tokens: number;
  readonly by: 'tokenizer' | 'estimate';
}

/** Usage of a request: the upstream's report if plausible, otherwise counted here or estimated by length. */
export class UsageCounter {
  readonly #counters: TokenCounters;
  readonly #requested: CountedRequest;
  #prompt: Promise<number | undefined> | undefined;

  constructor(counters: TokenCounters, requested: CountedRequest) {
    this.#counters = counters;
    this.#requested = requested;
  }

  lengthFor(channel: number): ResponseLength {
    if (this.#requested.isEstimate) return new ResponseLength();
    const batch = this.#counters.usageReporters.tells(channel) === false ? batchBytes : largeBatchBytes;
    return new ResponseLength(new TextTally(() => this.#openSum(), batch));
  }

  /** Reported usage of a whole response, if all of it is plausible. */
  ofReported({ prompt, completion, parts, implausible }: ReportedUsage): TokenCount | undefined {
    const { request, limit = Number.POSITIVE_INFINITY } = this.#requested;
    if (prompt === undefined || completion === undefined || implausible !== undefined || completion > limit)
      return undefined;
    if (completion === 0 && request.kind.hasTextOutput) return undefined;
    return parts ? { prompt, completion, parts: capMediaTokens(parts, this.#requested.media) } : { prompt, completion };
  }

  /** Usage of a whole response with these texts. */
  async ofWhole(estimate: TokenCount, reported: ReportedUsage, responseTexts: ResponseTexts): Promise<TokenCount> {
    const { billedBy } = this.#requested.request.kind;
    if (billedBy === 'images' || billedBy === 'characters' || billedBy === 'pages') return estimate;
    const length = new ResponseLength(
      this.#requested.isEstimate ? undefined : new TextTally(() => this.#openSum(), batchBytes),
    );
    length.add(responseTexts);
    length.deliver();
    if (billedBy === 'tokens' || billedBy === 'ranking')
      return this.ofStream({ reported, length, reportCovers: 'all' });
    const { tokens, by } = await this.#respond(length);
    // A recording of silence has no text but costs as much upstream.
    const { units = 0 } = estimate;
    const spoken = textUnitsCharge(this.#requested.request.model, tokens);
    return spoken > units ? { ...estimate, units: spoken, counted: by } : estimate;
  }

  /** Usage of the delivered part of a stream; synchronous if all of it was reported. */
  ofStream(stream: FinishedStream): TokenCount | Promise<TokenCount> {
    const reported = stream.reportCovers === 'all' ? this.ofReported(stream.reported) : undefined;
    if (!reported) return this.#counted(stream);
    stream.length.drop();
    return reported;
  }

  async #counted(stream: FinishedStream): Promise<TokenCount> {
    const { reported, length } = stream;
    const limit = this.#requested.limit ?? Number.POSITIVE_INFINITY;
    const { word, isLastWord, implausible } = classifyReport(stream, limit);
    if (isLastWord) length.drop();
    const [prompt, response] = await Promise.all([
      reported.prompt === undefined ? this.#promptOrEstimate() : undefined,
      isLastWord ? undefined : this.#respond(length),
    ]);
    // Hidden reasoning is charged within the limit; beyond the limit only delivered content is charged.
    const completion = Math.max(Math.min(word, limit), Math.min(response?.tokens ?? 0, word > limit ? word : Infinity));
    return {
      prompt: prompt?.tokens ?? reported.prompt ?? 0,
      completion,
      ...(reported.parts && { parts: capMediaTokens(partsCharged(reported, completion), this.#requested.media) }),
      ...countedBy(prompt?.by, completion === word ? undefined : response?.by),
      ...(implausible !== undefined && { implausible }),
    };
  }

  /** Usage of a request whose response was discarded. */
  async ofPrompt(estimate: TokenCount): Promise<TokenCount> {
    if (estimate.units !== undefined) return estimate;
    const implausible = this.#implausibleIn(estimate);
    if (!estimate.counted && implausible === undefined) return estimate;
    const { tokens, by } = await this.#promptOrEstimate();
    return { prompt: tokens, completion: 0, counted: by, ...(implausible !== undefined && { implausible }) };
  }

  /** Prompt tokens from the tokenizer, or a bound by bytes if it cannot count them. */
  async closePrompt(channels: readonly RelayChannel[]): Promise<PromptTokenEstimate> {
    const { request, isEstimate } = this.#requested;
    const given = isEstimate ? undefined : collectPromptTexts(request, channels);
    const counted = given && (await this.#countTexts(given.texts));
    if (given && counted !== undefined) {
      const textBytes = given.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      return estimatePromptTokens(request, channels, counted + given.tokens, textBytes);
    }
    const bound = promptTokenBound(request, channels);
    return { expected: bound, bound };
  }

  #countTexts(texts: readonly string[]): Promise<number | undefined> {
    const sum = this.#counters.tokenizer.sumFor(this.#requested.request.model, admissionTimeoutMs);
    sum.add(texts);
    return sum.total();
  }

  /** Usage reported with an error may be implausible, too. */
  #implausibleIn({ prompt, completion }: TokenCount): string | undefined {
    return readUsage({ promptTokens: prompt, completionTokens: completion }, this.#requested.request).implausible;
  }

  /** Prompt tokens; undefined if they cannot be counted. */
  prompt(): Promise<number | undefined> {
    this.#prompt ??= this.#countPrompt();
    return this.#prompt;
  }

  async #promptOrEstimate(): Promise<Counted> {
    const counted = await this.prompt();
    return counted === undefined
      ? { tokens: this.#requested.prompt, by: 'estimate' }
      : { tokens: counted, by: 'tokenizer' };
  }

  async #respond(length: ResponseLength): Promise<Counted> {
    const counted = await length.total();
    const { limit } = this.#requested;
    if (counted !== undefined) return { tokens: capAtLimit(counted, limit, maxCountForLimit), by: 'tokenizer' };
    return { tokens: capAtLimit(length.delivered, limit, maxEstimateForLimit), by: 'estimate' };
  }

  async #countPrompt(): Promise<number | undefined> {
    if (this.#requested.isEstimate) return undefined;
    const counted = await countPromptTokens(promptTexts(this.#requested.request), () => this.#openSum());
    return counted === undefined ? undefined : counted + (this.#requested.request.earlier?.tokens ?? 0);
  }

  #openSum() {
    return this.#counters.tokenizer.sumFor(this.#requested.request.model);
  }
}

/** Decides whether the reported usage of a response is complete. */
function classifyReport({ reported, length, reportCovers }: FinishedStream, limit: number) {
  const { completion } = reported;
  const isNothing = completion === 0 && length.delivered > 0;
  const word = reportCovers === 'more' ? 0 : (completion ?? 0);
  const implausible =
    reported.implausible ?? (isNothing || word > limit ? `${usagePartNames.completion} ${completion}` : undefined);
  const isLastWord = reportCovers === 'all' && completion !== undefined && !isNothing && word <= limit;
  return { word, isLastWord, implausible };
}

/** Reported cache and audio tokens are part of the reported prompt; other parts belong to the charged completion. */
function partsCharged({ prompt, parts = noParts }: ReportedUsage, completion: number): TokenParts {
  const { reasoning, audioCompletion = 0, imageCompletion = 0 } = parts;
  const ofResponse = { ...noParts, reasoning, audioCompletion, imageCompletion };
  return capTokenParts(prompt === undefined ? ofResponse : parts, completion);
}

const noParts: TokenParts = { cached: 0, written: 0, writtenLong: 0, reasoning: 0 };

/** A sum is only as exact as its least exact part. */
function countedBy(...parts: readonly (Counted['by'] | undefined)[]): Pick<TokenCount, 'counted'> {
  if (parts.includes('estimate')) return { counted: 'estimate' };
  return parts.includes('tokenizer') ? { counted: 'tokenizer' } : {};
}

/** Maximum length of a prompt whose tokens are counted in order to reserve less. */
const maxCharacters = 1_000_000;

interface PromptTextCollection {
  readonly texts: readonly string[];
  /** Tokens given as token ids. */
  readonly tokens: number;
}

/** Returns all strings in a request that may reach a model, in any field; undefined if there is too much to count. */
export function collectPromptTexts(
  request: RelayRequest,
  channels: readonly RelayChannel[],
): PromptTextCollection | undefined {
  const { body, kind, model, bytes } = request;
  const input = body[kind.input];
  const { prompt } = kind.dialect;
  const attached = readAttachments(input, [model], prompt);
  if (bytes.length - attached.bytes > maxCharacters) return undefined;
  const gathering = new Gathering(prompt);
  for (const [name, value] of Object.entries(body)) {
    if (name === kind.input) gathering.add(value);
    else if (!fieldsIgnoredByModel.has(name) && typeof value !== 'number') gathering.texts.push(textOf(value));
  }
  const systems = channels.map(({ systemPrompt }) => systemPrompt);
  gathering.texts.push(systems.reduce((longest, next) => (next.length > longest.length ? next : longest), ''));
  return gathering;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

class Gathering {
  readonly texts: string[] = [];
  tokens = 0;
  readonly #prompt: PromptFields;

  constructor(prompt: PromptFields) {
    this.#prompt = prompt;
  }

  add(value: unknown): void {
    if (typeof value === 'string') this.texts.push(value);
    else if (typeof value === 'number') this.tokens += 1 + Math.ceil(String(value).length / 3);
    else if (Array.isArray(value)) for (const item of value) this.add(item);
    else if (typeof value === 'object' && value !== null) this.#fields(value as JsonObject);
  }

  #fields(fields: JsonObject): void {
    // Content that counts as an image or audio is not counted as text; text next to it is.
    const attachment = this.#prompt.toAttachment(fields);
    if (attachment && 'characters' in attachment && attachment.characters > 0) return;
    for (const [name, value] of Object.entries(fields)) {
      if (!structuralMessageFields.has(name)) this.texts.push(name);
      this.add(value);
    }
  }
}
