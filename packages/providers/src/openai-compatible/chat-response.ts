import {
  type ChatDelta,
  type ChatResponse,
  DeltaMerger,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  readMediaUsage,
  textAt,
  type Usage,
  validMediaUsage,
} from '@headgate/dialects';
import { errorInSuccess, isErrorEvent, usageBesideError } from '../default-problem.ts';
import type { StreamFrame } from '../frames.ts';
import type { JsonObject, PassThrough, StreamDecoder } from '../provider.ts';
import { ChoiceDecoder } from './chat-choice.ts';
import { readServiceTier } from './service-tier.ts';

type HiddenError = PassThrough['hiddenError'];

/** A whole response is handled as a stream with one chunk. */
export function decodeChatResponse(body: unknown, hiddenError?: HiddenError): ChatResponse {
  throwHidden(body, hiddenError);
  const gatherer = new DeltaMerger();
  const isResponse = !(isObject(body) && body['error'] && isWordless(body));
  const choices = isResponse ? listAt(body, 'choices') : [];
  for (const [index, choice] of choices.entries()) {
    const reader = new ChoiceDecoder(textAt(body, 'id'), index);
    for (const delta of reader.readWhole(choice)) gatherer.add(delta);
  }
  const response = gatherer.response(usageOf(usageIn(body)));
  if (response) return response;
  throw errorInSuccess(body, 'The upstream returned an empty response');
}

/** True if no choice has content: next to an error, such choices are only placeholders. */
const isWordless = (body: JsonObject) => listAt(body, 'choices').every((choice) => !isObject(objectOrNone(choice)));

const objectOrNone = (choice: unknown) => (isObject(choice) ? choice['message'] : undefined);

function throwHidden(body: unknown, hiddenError: HiddenError): void {
  const hidden = isObject(body) ? hiddenError?.read(body) : undefined;
  if (!hidden) return;
  hidden.usage ??= usageBesideError(body);
  throw hidden;
}

export class OpenaiChatStream implements StreamDecoder {
  readonly #hiddenError: HiddenError;
  readonly #choices = new Map<number, ChoiceDecoder>();
  /** Some upstreams report usage in several events; the last value of each field counts. */
  #usage: JsonObject | undefined;

  constructor(hiddenError?: HiddenError) {
    this.#hiddenError = hiddenError;
  }

  get usage(): Usage | undefined {
    return usageOf(this.#usage);
  }

  push({ data }: StreamFrame): readonly ChatDelta[] {
    if (data.startsWith('[DONE]')) return [];
    const event = parseFrame(data);
    throwHidden(event, this.#hiddenError);
    if ((isObject(event) && event['error']) || isErrorEvent(event)) throw errorInSuccess(event);
    const usage = usageIn(event);
    if (usage) this.#usage = { ...this.#usage, ...usage };
    return listAt(event, 'choices').flatMap((choice) => this.#readerOf(choice, event).readPiece(choice));
  }

  #readerOf(choice: unknown, event: unknown): ChoiceDecoder {
    const index = numberAt(choice, 'index') ?? 0;
    const reader = this.#choices.get(index) ?? new ChoiceDecoder(textAt(event, 'id'), index);
    this.#choices.set(index, reader);
    return reader;
  }
}

/**
 * Usage of a response, from the standard field or the fields of Groq and Moonshot, with the service tier, which is
 * reported next to it.
 */
function usageIn(body: unknown): JsonObject | undefined {
  const containers = [body, objectAt(body, 'x_groq'), listAt(body, 'choices')[0]];
  const usage = containers.map((container) => (isObject(container) ? container['usage'] : undefined)).find(isObject);
  const tier = textAt(body, 'service_tier');
  return usage && tier !== '' ? { ...usage, service_tier: tier } : usage;
}

/** Undefined without a prompt count. Some upstreams report the total instead of the completion. */
function usageOf(reported: JsonObject | undefined): Usage | undefined {
  const prompt = numberAt(reported, 'prompt_tokens');
  if (prompt === undefined) return undefined;
  const total = numberAt(reported, 'total_tokens') ?? 0;
  const completion = numberAt(reported, 'completion_tokens') ?? Math.max(total - prompt, 0);
  const thoughts = numberAt(objectAt(reported, 'completion_tokens_details'), 'reasoning_tokens') ?? 0;
  // xAI reports reasoning in addition to the completion.
  const isBeside = thoughts > 0 && prompt + completion + thoughts === total;
  return {
    promptTokens: prompt,
    completionTokens: isBeside ? completion + thoughts : completion,
    ...cacheDetails(reported),
    ...(thoughts > 0 && { reasoningTokens: thoughts }),
    ...readServiceTier(reported),
    ...validMediaUsage(
      readMediaUsage(objectAt(reported, 'prompt_tokens_details'), objectAt(reported, 'completion_tokens_details')),
    ),
  };
}

/** Cache tokens, from the standard details or the fields of DeepSeek and Moonshot. */
function cacheDetails(reported: JsonObject | undefined): Pick<Usage, 'cachedTokens' | 'cacheWriteTokens'> {
  const details = objectAt(reported, 'prompt_tokens_details');
  const topLevelCount = numberAt(reported, 'prompt_cache_hit_tokens') ?? numberAt(reported, 'cached_tokens');
  const read = numberAt(details, 'cached_tokens') ?? topLevelCount ?? 0;
  const written = numberAt(details, 'cache_write_tokens') ?? numberAt(details, 'cache_creation_input_tokens') ?? 0;
  return { ...(read > 0 && { cachedTokens: read }), ...(written > 0 && { cacheWriteTokens: written }) };
}
