import {
  type ChatDelta,
  type ChatResponse,
  DeltaMerger,
  type FinishReason,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  readMediaUsage,
  readTaggedSignature,
  textAt,
  type UpstreamProblem,
  type Usage,
  validMediaUsage,
} from '@headgate/dialects';
import { errorInSuccess } from '../default-problem.ts';
import type { StreamFrame } from '../frames.ts';
import type { JsonObject, PassThrough, ResponseDecoder, StoredIds, StreamDecoder, TextRange } from '../provider.ts';
import { passThrough, type VendorDialect } from './pass-through.ts';
import {
  builtInCallText,
  firstCallDelta,
  itemToDeltas,
  toCitationDeltas,
  toSignatureDeltas,
} from './responses-items.ts';
import { readServiceTier } from './service-tier.ts';

/** Maximum number of item ids per response. A response with more items can only be continued as a whole. */
const maxStoredItems = 256;

/** Items with the model's text, reasoning or calls. */
const modelOutputTypes: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call']);

/**
 * Ids under which OpenAI stores a response and its items; undefined if the response is not stored, although it has
 * ids.
 */
function storedIdsOf(response: unknown, output: readonly unknown[]): StoredIds | undefined {
  const id = isObject(response) && response['store'] !== false ? textAt(response, 'id') : '';
  if (id === '') return undefined;
  const items = output.slice(0, maxStoredItems);
  return {
    id,
    items: [...new Set(items.map((item) => textAt(item, 'id')))].filter((item) => item !== ''),
    images: output.filter((item) => textAt(item, 'type') === 'image_generation_call').length,
    isModelOutput: output.every((item) => modelOutputTypes.has(textAt(item, 'type'))),
  };
}

/** Reads responses of OpenAI's Responses API while they pass through. */
export const responsesReader: ResponseDecoder = {
  decode,
  keptAs: (body) => storedIdsOf(body, listAt(body, 'output')),
  stream: { framing: 'sse', open: () => new ResponsesStream() },
};

function decode(body: unknown): ChatResponse {
  const response = isObject(body) ? body : {};
  if (response['error'] || !Array.isArray(response['output'])) throw problemOf(response);
  const gatherer = new DeltaMerger();
  let calls = 0;
  for (const item of listAt(response, 'output').filter(isObject)) {
    if (firstCallDelta(item, calls)) calls += 1;
    for (const delta of itemToDeltas(item, calls - 1)) gatherer.add(delta);
  }
  gatherer.add({ finishReason: finishReasonOf(response, calls > 0) });
  const reply = gatherer.response(usageOf(response));
  if (reply) return reply;
  throw problemOf(response);
}

function problemOf(response: JsonObject): UpstreamProblem {
  const problem = errorInSuccess(response, 'The upstream returned an empty response');
  problem.usage = usageOf(response);
  return problem;
}

function finishReasonOf(response: JsonObject, hasCalls: boolean): FinishReason {
  if (response['status'] !== 'incomplete') return hasCalls ? 'tool_calls' : 'stop';
  return textAt(objectAt(response, 'incomplete_details'), 'reason') === 'content_filter' ? 'content_filter' : 'length';
}

function usageOf(response: JsonObject): Usage | undefined {
  const usage = objectAt(response, 'usage');
  const prompt = numberAt(usage, 'input_tokens');
  if (prompt === undefined) return undefined;
  const details = objectAt(usage, 'input_tokens_details');
  const [read, written] = [numberAt(details, 'cached_tokens') ?? 0, numberAt(details, 'cache_write_tokens') ?? 0];
  const thoughts = numberAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens') ?? 0;
  return {
    promptTokens: prompt,
    completionTokens: numberAt(usage, 'output_tokens') ?? 0,
    ...(read > 0 && { cachedTokens: read }),
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(thoughts > 0 && { reasoningTokens: thoughts }),
    ...validMediaUsage(readMediaUsage(details, objectAt(usage, 'output_tokens_details'))),
    ...readServiceTier(response),
  };
}

/** Events without new content, which repeat the request or earlier events. */
const silent: ReadonlySet<string> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.content_part.added',
  'response.content_part.done',
  'response.output_text.done',
  'response.refusal.done',
  'response.function_call_arguments.done',
  'response.custom_tool_call_input.done',
  'response.reasoning_summary_text.done',
  'response.reasoning_summary_part.done',
  'response.reasoning_text.done',
]);

const textEvent = 'event: response.output_text.delta\n';
const textStart = '"delta":"';
const placeStart = '"output_index":';

/** Output index of an event; NaN without an index. */
const indexIn = (event: string): number => numberAfter(event, event.indexOf(placeStart) + placeStart.length);

const numberAfter = (text: string, at: number): number => Number.parseInt(text.slice(at, at + 6), 10);

class ResponsesStream implements StreamDecoder {
  usage: Usage | undefined;
  unread = 0;
  keptAs: StoredIds | undefined;
  response: JsonObject | undefined;
  /** Completed items, up to the limit. */
  readonly #items: JsonObject[] = [];
  /** Call numbers, by output index. */
  readonly #calls = new Map<number, number>();
  /** Output indexes of items that sent deltas before they were done. */
  readonly #indexesWithDeltas = new Set<number>();

  push({ event: name, data }: StreamFrame): readonly ChatDelta[] {
    if (silent.has(name) || data.startsWith('[DONE]')) return [];
    const event = parseFrame(data);
    if (!isObject(event)) return [];
    const position = numberAt(event, 'output_index') ?? 0;
    switch (event['type']) {
      case 'response.output_text.delta':
        return this.#receive(position, { content: textAt(event, 'delta') });
      case 'response.refusal.delta':
        return this.#receive(position, { refusal: textAt(event, 'delta') });
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#receive(position, { reasoning: textAt(event, 'delta') });
      case 'response.reasoning_summary_part.added':
        return (numberAt(event, 'summary_index') ?? 0) > 0 ? [{ reasoning: '\n\n' }] : [];
      case 'response.function_call_arguments.delta':
        return this.#receiveInput(position, textAt(event, 'delta'));
      case 'response.custom_tool_call_input.delta':
        return this.#receiveFreeInput(position, textAt(event, 'delta'));
      case 'response.output_text.annotation.added':
        return toCitationDeltas(event['annotation']).flatMap((citation) => this.#receive(position, citation));
      case 'response.output_item.added':
        return this.#begin(position, objectAt(event, 'item'));
      case 'response.output_item.done':
        return this.#done(position, objectAt(event, 'item'));
      case 'response.completed':
      case 'response.incomplete':
        return this.#end(objectAt(event, 'response'));
      case 'response.failed':
        throw problemOf(objectAt(event, 'response'));
      case 'error':
        throw errorInSuccess(event['error'] ? event : { error: event });
      default:
        if (event['error']) throw errorInSuccess(event);
        // Counts deltas of types that other dialects cannot represent, such as patches.
        this.unread += textAt(event, 'delta').length;
        return [];
    }
  }

  textRangeIn(text: string, from: number, to: number): TextRange | undefined {
    if (!text.startsWith(textEvent, from)) return undefined;
    const event = text.slice(from, to);
    if (!this.#indexesWithDeltas.has(indexIn(event))) return undefined;
    const at = event.indexOf(textStart);
    const start = at + textStart.length;
    const end = at === -1 ? -1 : event.indexOf('"', start);
    const isPlain = end !== -1 && !event.slice(start, end).includes('\\');
    return isPlain ? { from: from + start, to: from + end } : undefined;
  }

  #receive(position: number, delta: ChatDelta): readonly ChatDelta[] {
    this.#indexesWithDeltas.add(position);
    return [delta];
  }

  #begin(position: number, item: JsonObject): readonly ChatDelta[] {
    const index = this.#calls.size;
    const begin = firstCallDelta(item, index);
    if (!begin) return [];
    this.#calls.set(position, index);
    return [begin];
  }

  #receiveInput(position: number, piece: string): readonly ChatDelta[] {
    return this.#receive(position, { toolCall: { index: this.#calls.get(position) ?? 0, arguments: piece } });
  }

  /** Wraps free text in JSON, like all arguments. */
  #receiveFreeInput(position: number, piece: string): readonly ChatDelta[] {
    const begin = this.#indexesWithDeltas.has(position) ? '' : '{"input":"';
    return this.#receiveInput(position, begin + JSON.stringify(piece).slice(1, -1));
  }

  /** Returns the content of an item that sent no deltas. */
  #done(position: number, item: JsonObject): readonly ChatDelta[] {
    if (this.#items.length < maxStoredItems) this.#items.push({ id: item['id'], type: item['type'] });
    const index = this.#calls.get(position);
    if (this.#indexesWithDeltas.has(position)) {
      if (item['type'] === 'reasoning') return toSignatureDeltas(item);
      return item['type'] === 'custom_tool_call' ? this.#receiveInput(position, '"}') : [];
    }
    this.#indexesWithDeltas.add(position);
    if (index !== undefined) return itemToDeltas(item, index).slice(1);
    const begin = this.#begin(position, item);
    const deltas = itemToDeltas(item, this.#calls.size - 1).slice(begin.length);
    if (begin.length + deltas.length === 0) this.unread += builtInCallText(item).length;
    return [...begin, ...deltas];
  }

  #end(response: JsonObject): readonly ChatDelta[] {
    this.usage = usageOf(response);
    this.response = response;
    const output = listAt(response, 'output');
    this.keptAs = storedIdsOf(response, output.length > 0 ? output : this.#items);
    return [{ finishReason: finishReasonOf(response, this.#calls.size > 0) }];
  }
}

const path = '/v1/responses';

type Place = Pick<VendorDialect, 'address' | 'headers'>;

/** OpenAI's Responses API at an upstream that supports it. */
export const responsesPass = (place: Place = {}, drops?: PassThrough['drops']): PassThrough =>
  passThrough(path, {
    ...place,
    quirks: {
      patch: patchResponses,
      ...(drops && { drops }),
      watch: responsesReader,
      isOptional: true,
    },
  });

/** OpenAI's Responses API at an upstream that stores responses, so that they can be retrieved. */
export const storedResponsesPass = (place: Place = {}): PassThrough => ({
  ...responsesPass(place),
  storedResponse: (upstream, below) => passThrough(path + below, place).send(upstream),
});

/** Compaction of a conversation by the upstream. */
export const compactPass = (place: Place = {}): PassThrough =>
  passThrough(`${path}/compact`, { ...place, quirks: { patch: patchResponses, watch: responsesReader } });

function patchResponses({ input, store }: JsonObject): JsonObject {
  if (!Array.isArray(input)) return {};
  const known = (input as readonly unknown[]).filter((item) => !isForeignThought(item, store === false));
  return known.length === input.length ? {} : { input: known };
}

/**
 * True if reasoning must be dropped: it is from another vendor, was not stored, or its id was removed because it
 * belongs to another user.
 */
function isForeignThought(item: unknown, isUnstored: boolean): boolean {
  if (!isObject(item) || item['type'] !== 'reasoning') return false;
  const seal = textAt(item, 'encrypted_content');
  const id = textAt(item, 'id');
  if (seal === '') return isUnstored || id === '' || isGatewayId(id);
  return readTaggedSignature(seal, 'openai').maker !== 'openai';
}

/** True if the gateway created the id; OpenAI's ids have no second part. */
const isGatewayId = (id: string): boolean => id.includes('_', 'rs_'.length);
