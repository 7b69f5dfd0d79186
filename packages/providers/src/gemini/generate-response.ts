import {
  type ChatDelta,
  type ChatResponse,
  type Citation,
  DeltaMerger,
  type FinishReason,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  textAt,
  UpstreamProblem,
  type Usage,
  validMediaUsage,
} from '@headgate/dialects';
import { defaultProblem } from '../default-problem.ts';
import type { StreamFrame } from '../frames.ts';
import type { ChatAdaptor, JsonObject, StreamDecoder } from '../provider.ts';
import { PartialArguments } from './partial-arguments.ts';

/** A whole response is handled as a stream with one chunk. */
export function decodeGenerateResponse(body: unknown): ChatResponse {
  const reader = new ResponseReader();
  const gatherer = new DeltaMerger();
  for (const delta of reader.read(body)) gatherer.add(delta);
  const response = gatherer.response(reader.usage);
  if (response) return response;
  throw new UpstreamProblem(502, 'The upstream returned no candidate');
}

export const geminiStream: NonNullable<ChatAdaptor['stream']> = { framing: 'sse', open: () => new ResponseReader() };

class ResponseReader implements StreamDecoder {
  usage: Usage | undefined;
  /** Number of calls, by candidate index. */
  readonly #callCounts = new Map<number, number>();
  /** Calls whose arguments are still incomplete. */
  readonly #openCalls = new Map<number, OpenCall>();
  readonly #finished = new Set<number>();
  readonly #cited = new Set<string>();
  #isWordy = false;
  #ownWork = 0;

  push({ data }: StreamFrame): readonly ChatDelta[] {
    return this.read(parseFrame(data));
  }

  read(body: unknown): readonly ChatDelta[] {
    if (isObject(body) && body['error'] !== undefined) {
      throw readGeminiProblem(numberAt(body['error'], 'code') ?? 502, body);
    }
    const deltas = listAt(body, 'candidates').flatMap((candidate) => this.#readCandidate(candidate, body));
    this.#isWordy ||= deltas.some(({ content, toolCall }) => content !== undefined || toolCall !== undefined);
    this.usage = toUsage(body, this.#isWordy) ?? this.usage;
    const isBlocked = deltas.length === 0 && textAt(objectAt(body, 'promptFeedback'), 'blockReason') !== '';
    return isBlocked ? [{ content: '', finishReason: 'content_filter' }] : deltas;
  }

  /** Characters of code that Google runs, and of incomplete arguments. */
  get unread(): number {
    return [...this.#openCalls.values()].reduce((sum, { parts }) => sum + parts.characters, this.#ownWork);
  }

  #readCandidate(candidate: unknown, body: unknown): ChatDelta[] {
    const choice = numberAt(candidate, 'index') ?? 0;
    const deltas = listAt(objectAt(candidate, 'content'), 'parts').flatMap((part) =>
      this.#readPart(part, choice, textAt(body, 'responseId')),
    );
    deltas.push(...this.#readCitations(candidate, choice));
    const reason = textAt(candidate, 'finishReason');
    if (reason !== '') deltas.push(...this.#close(choice));
    if (reason !== '' && !this.#finished.has(choice)) {
      this.#finished.add(choice);
      deltas.push({ finishReason: finishReasonOf(reason, this.#callCounts.has(choice)) });
    }
    return choice === 0 ? deltas : deltas.map((delta) => ({ choice, ...delta }));
  }

  #readPart(part: unknown, choice: number, responseId: string): ChatDelta[] {
    if (!isObject(part)) return [];
    if (isObject(part['functionCall'])) return this.#readCall(part, choice, responseId);
    const deltas = textDelta(part);
    this.#ownWork += textAt(objectAt(part, 'executableCode'), 'code').length;
    const signature = textAt(part, 'thoughtSignature');
    // The signature belongs to the preceding reasoning and is placed on the part after it.
    return signature === '' ? deltas : [{ thought: { text: '', maker: 'google', signature } }, ...deltas];
  }

  /** Returns only new citations, because every chunk may repeat earlier ones. */
  #readCitations(candidate: unknown, choice: number): ChatDelta[] {
    return citationsIn(candidate).flatMap((citation) => {
      const key = `${choice} ${JSON.stringify(citation)}`;
      if (this.#cited.has(key)) return [];
      this.#cited.add(key);
      return [{ citation }];
    });
  }

  /** A call arrives complete, or as a name followed by its arguments in fragments. */
  #readCall(part: JsonObject, choice: number, responseId: string): ChatDelta[] {
    const call = objectAt(part, 'functionCall');
    const isNamed = textAt(call, 'name') !== '';
    const open = isNamed ? undefined : this.#openCalls.get(choice);
    if (!isNamed && !open) return [];
    open?.parts.add(call);
    if (open) return call['willContinue'] === true ? [] : this.#close(choice);
    const closed = this.#close(choice);
    return [...closed, ...this.#begin(part, choice, responseId)];
  }

  #begin(part: JsonObject, choice: number, responseId: string): ChatDelta[] {
    const call = objectAt(part, 'functionCall');
    const index = this.#callCounts.get(choice) ?? 0;
    this.#callCounts.set(choice, index + 1);
    const id = textAt(call, 'id') || `call_${responseId}_${choice}_${index}`;
    const isPart = call['willContinue'] === true || Array.isArray(call['partialArgs']);
    const json = isPart ? '' : JSON.stringify(objectAt(call, 'args'));
    const signature = textAt(part, 'thoughtSignature');
    const signed = signature !== '' && { thoughtSignature: signature };
    const begun = { toolCall: { index, id, name: textAt(call, 'name'), arguments: json, ...signed } };
    if (!isPart) return [begun];
    const parts = new PartialArguments();
    parts.add(call);
    this.#openCalls.set(choice, { index, parts });
    return call['willContinue'] === true ? [begun] : [begun, ...this.#close(choice)];
  }

  /** Closes the open call when all arguments have arrived or the response has ended. */
  #close(choice: number): ChatDelta[] {
    const open = this.#openCalls.get(choice);
    this.#openCalls.delete(choice);
    return open ? [{ toolCall: { index: open.index, arguments: open.parts.json } }] : [];
  }
}

interface OpenCall {
  readonly index: number;
  readonly parts: PartialArguments;
}

function textDelta(part: JsonObject): ChatDelta[] {
  const text = textAt(part, 'text');
  if (text !== '') return [part['thought'] === true ? { reasoning: text } : { content: text }];
  const file = objectAt(part, 'inlineData');
  const data = textAt(file, 'data');
  // Images generated during reasoning are not part of the response.
  if (data === '' || part['thought'] === true) return [];
  const mediaType = textAt(file, 'mimeType').toLowerCase() || 'image/png';
  if (mediaType.startsWith('audio/')) return [{ audio: data }];
  // Other files have no field in a response, so they are linked in the text.
  return mediaType.startsWith('image/')
    ? [{ image: { mediaType, data } }]
    : [{ content: `[file](data:${mediaType};base64,${data})` }];
}

function finishReasonOf(reason: string, hasCalls: boolean): FinishReason {
  if (reason === 'MAX_TOKENS') return 'length';
  if (withheld.has(reason)) return 'content_filter';
  if (broken.has(reason)) throw new UpstreamProblem(502, `The upstream aborted the response: ${reason}`, reason);
  return hasCalls ? 'tool_calls' : 'stop';
}

const withheld: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

const broken: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
]);

/**
 * Adds reasoning to the candidates' tokens, and input of Google's tools to the prompt's, because Google reports them
 * separately.
 */
export function toUsage(body: unknown, hasResponded = false): Usage | undefined {
  const counts = objectAt(body, 'usageMetadata');
  const prompt = numberAt(counts, 'promptTokenCount');
  if (prompt === undefined) return undefined;
  const thoughts = Math.max(numberAt(counts, 'thoughtsTokenCount') ?? 0, 0);
  const reply = numberAt(counts, 'candidatesTokenCount') ?? (hasResponded ? -1 : 0);
  const cached = numberAt(counts, 'cachedContentTokenCount') ?? 0;
  return {
    promptTokens: prompt + (numberAt(counts, 'toolUsePromptTokenCount') ?? 0),
    // If the response itself was not counted, its reasoning tokens are not the whole count.
    completionTokens: reply >= 0 ? reply + thoughts : 0,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(thoughts > 0 && { reasoningTokens: thoughts }),
    ...mediaOf(counts),
  };
}

/** Audio and image tokens, which Google reports by modality. Documents and video cost as much as text. */
function mediaOf(counts: JsonObject): ReturnType<typeof validMediaUsage> {
  const hasCacheDetails = listAt(counts, 'cacheTokensDetails').length > 0;
  const cached = (modality: string) =>
    hasCacheDetails ? ofModality(counts, 'cacheTokensDetails', modality) : undefined;
  const read = (modality: string) =>
    ofModality(counts, 'promptTokensDetails', modality) + ofModality(counts, 'toolUsePromptTokensDetails', modality);
  return validMediaUsage({
    audioTokens: read('AUDIO'),
    imageTokens: read('IMAGE'),
    cachedAudioTokens: cached('AUDIO'),
    cachedImageTokens: cached('IMAGE'),
    audioCompletionTokens: ofModality(counts, 'candidatesTokensDetails', 'AUDIO'),
    imageCompletionTokens: ofModality(counts, 'candidatesTokensDetails', 'IMAGE'),
  });
}

const ofModality = (counts: JsonObject, list: string, modality: string): number =>
  listAt(counts, list)
    .filter((count) => textAt(count, 'modality') === modality)
    .reduce<number>((sum, count) => sum + (numberAt(count, 'tokenCount') ?? 0), 0);

/** Sources of a response: search results with the text they support, and quotations. */
function citationsIn(candidate: unknown): readonly Citation[] {
  const grounding = objectAt(candidate, 'groundingMetadata');
  const borne = textByChunk(grounding);
  const found = listAt(grounding, 'groundingChunks').map((chunk, index) => {
    const source = sourceNames
      .map((name) => objectAt(chunk, name))
      .find((container) => textAt(container, 'uri') !== '');
    return citationOf(source, borne.get(index));
  });
  const quotes = objectAt(candidate, 'citationMetadata');
  const quoted = [...listAt(quotes, 'citationSources'), ...listAt(quotes, 'citations')].map((source) =>
    citationOf(source, undefined),
  );
  return [...found, ...quoted].flatMap((citation) => citation ?? []);
}

const sourceNames = ['web', 'retrievedContext', 'maps'];

/** First text segment supported by each source. */
function textByChunk(grounding: unknown): ReadonlyMap<unknown, string> {
  const textByIndex = new Map<unknown, string>();
  for (const support of listAt(grounding, 'groundingSupports')) {
    const text = textAt(objectAt(support, 'segment'), 'text');
    for (const index of listAt(support, 'groundingChunkIndices')) {
      if (text !== '' && !textByIndex.has(index)) textByIndex.set(index, text);
    }
  }
  return textByIndex;
}

function citationOf(source: unknown, text: string | undefined): Citation | undefined {
  const url = textAt(source, 'uri');
  const title = textAt(source, 'title');
  if (url === '') return undefined;
  return { url, ...(title !== '' && { title }), ...(text !== undefined && { text }) };
}

/**
 * Reads Google's errors: it returns 400 for an invalid key or an unsupported region, which would look like a client
 * error.
 */
export function readGeminiProblem(status: number, body: unknown): UpstreamProblem {
  const { message } = defaultProblem(status, body);
  const error = objectAt(Array.isArray(body) ? (body as readonly unknown[])[0] : body, 'error');
  const reasons = listAt(error, 'details').map((detail) => textAt(detail, 'reason'));
  const code = textAt(error, 'status') || null;
  // Only the start is matched, because the message may quote the request.
  if (reasons.includes('API_KEY_INVALID') || /^api key (?:not valid|expired)/i.test(message)) {
    return new UpstreamProblem(401, message, 'invalid_api_key');
  }
  return new UpstreamProblem(code === 'FAILED_PRECONDITION' ? 403 : status, message, code);
}
