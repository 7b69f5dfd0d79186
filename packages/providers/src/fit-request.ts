import {
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  enablesReasoning,
  isObject,
  JsonBoundsCounter,
  type JsonObject,
  objectAt,
  RequestProblem,
  requestBounds,
  textAt,
  usedHints,
  usedRequirements,
} from '@headgate/dialects';
import { type Adjustment, hasNoEffect, rejectedParameters } from './model-parameters.ts';
import type { ChatAdaptor, ParameterRanges, PassThrough, UnsupportedFormats, Upstream } from './provider.ts';

/** A request reduced to fields that an upstream and its model accept. */
interface Fitted {
  readonly request: ChatRequest;
  /** Fields that were dropped or changed, to be reported to the client. */
  readonly ignored: readonly string[];
}

type Fitting = Pick<ChatAdaptor, 'takes' | 'ranges' | 'lacks' | 'reasoningFields' | 'supportsImagesInToolResults'>;

/**
 * Drops and reports hints that the adaptor or the model does not accept. Rejects fields whose removal would change the
 * meaning, and names them in the error.
 */
export function fitRequest(original: ChatRequest, adaptor: Fitting, model = ''): Fitted {
  const { takes, lacks = {}, supportsImagesInToolResults } = adaptor;
  const unsupported = usedRequirements(original).find((demand) => !takes.includes(demand));
  if (unsupported !== undefined)
    throw new RequestProblem(unsupported, `The channel's provider does not support ${unsupported}`);
  requireSmallArguments(original.messages);
  const shown = supportsImagesInToolResults
    ? original
    : { ...original, messages: withPicturesAfterResults(original.messages) };
  // Only optional reasoning is dropped here; required reasoning is checked like other requirements.
  const isThoughtless = enablesReasoning(original) && !takes.includes('reasoning_effort');
  const thinking = isThoughtless ? { ...shown, reasoningEffort: undefined } : shown;
  const instructed = instructedRequest(thinking, lacks, model);
  const sampled = fitSampling(instructed?.request ?? thinking, adaptor, model);
  return {
    request: sampled.request,
    ignored: [
      ...(isThoughtless ? ['reasoning_effort'] : []),
      ...(instructed ? [instructed.ignored] : []),
      ...sampled.ignored,
    ],
  };
}

function fitSampling(request: ChatRequest, { takes, ranges = {}, reasoningFields }: Fitting, model: string): Fitted {
  const hints = usedHints(request);
  if (hints.length === 0) return { request, ignored: [] };
  const fields = { ...samplingFields(request), ...reasoningFields?.(request, model) };
  const moved = clampedFields(ranges, fields);
  const { changes, ignored } = rejectedParameters(model, { ...fields, ...moved });
  const names = hints.filter((hint) => !takes.includes(hint) || hint in moved || ignored.includes(hint));
  if (Object.keys(moved).length + Object.keys(changes).length === 0) return { request, ignored: names };
  return { request: withSampling(request, { ...fields, ...moved, ...changes }), ignored: names };
}

/**
 * Limits the combined arguments of all tool calls to the bounds of a request body, because many adaptors parse them.
 */
function requireSmallArguments(messages: readonly ChatMessage[]): void {
  const tally = new JsonBoundsCounter(requestBounds);
  for (const message of messages) {
    const calls = message.role === 'assistant' ? message.toolCalls : [];
    if (calls.every((call) => tally.add(call.arguments))) continue;
    const problem = 'The arguments of the tool calls have too many parts or are nested too deeply';
    throw new RequestProblem('messages', problem);
  }
}

/** Sampling parameters of a request under OpenAI's names. */
const samplingFields = (request: ChatRequest): JsonObject => ({
  temperature: request.temperature,
  top_p: request.topP,
  top_k: request.topK,
  frequency_penalty: request.frequencyPenalty,
  presence_penalty: request.presencePenalty,
  logit_bias: request.extras.logitBias,
  stop: request.stop.length > 0 ? request.stop : undefined,
});

function withSampling(request: ChatRequest, fields: JsonObject): ChatRequest {
  const { logitBias, ...extras } = request.extras;
  return {
    ...request,
    temperature: fields['temperature'] as number | undefined,
    topP: fields['top_p'] as number | undefined,
    topK: fields['top_k'] as number | undefined,
    frequencyPenalty: fields['frequency_penalty'] as number | undefined,
    presencePenalty: fields['presence_penalty'] as number | undefined,
    stop: (fields['stop'] as readonly string[] | undefined) ?? [],
    extras: { ...extras, ...(fields['logit_bias'] !== undefined && logitBias && { logitBias }) },
  };
}

/** Moves images in tool results to a user message after them, because most upstreams accept only text in results. */
function withPicturesAfterResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(showsMore)) return messages;
  const fitted: ChatMessage[] = [];
  let shown: ContentPart[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') {
      if (shown.length > 0) fitted.push({ role: 'user', parts: shown });
      shown = [];
      fitted.push(message);
      continue;
    }
    shown.push(...message.parts.filter(({ type }) => type !== 'text'));
    fitted.push({ ...message, parts: message.parts.filter(({ type }) => type === 'text') });
  }
  if (shown.length > 0) fitted.push({ role: 'user', parts: shown });
  return fitted;
}

const showsMore = (message: ChatMessage) =>
  message.role === 'tool' && message.parts.some(({ type }) => type !== 'text');

type FormatType = keyof UnsupportedFormats;

/** Prompt text for a response format that the upstream does not enforce. */
function instructionFor(schema: JsonObject | undefined): string {
  const rest = 'Output raw JSON only: no explanation, no Markdown code fence.';
  if (!schema) return `Respond with a single valid JSON object. ${rest}`;
  return `Respond with a single valid JSON object that conforms to this JSON schema:\n${JSON.stringify(schema)}\n${rest}`;
}

const isLacked = (lacks: UnsupportedFormats, type: FormatType, model: string) => lacks[type]?.test(model) === true;

const ignoredName = (type: FormatType) => `response_format.${type}`;

/** Replaces a response format that the upstream lacks with an instruction; undefined if the upstream supports it. */
function instructedRequest(
  request: ChatRequest,
  lacks: UnsupportedFormats,
  model: string,
): { readonly request: ChatRequest; readonly ignored: string } | undefined {
  const format = request.responseFormat;
  if (!format || !isLacked(lacks, format.type, model)) return undefined;
  const text = instructionFor(format.type === 'json_schema' ? format.schema : undefined);
  const responseFormat = isLacked(lacks, 'json_object', model) ? undefined : ({ type: 'json_object' } as const);
  const messages = withSystemMessage(request.messages, text);
  return { request: { ...request, messages, responseFormat }, ignored: ignoredName(format.type) };
}

/**
 * Appends the text to the last leading system message, because some vendors accept only one, and so that cached prompts
 * remain valid.
 */
function withSystemMessage(messages: readonly ChatMessage[], text: string): readonly ChatMessage[] {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const at = first === -1 ? messages.length : first;
  const last = messages[at - 1];
  if (last?.role !== 'system') return [{ role: 'system', text, parts: [{ type: 'text', text }] }, ...messages];
  const added = last.text === '' ? text : `\n\n${text}`;
  const joined = { ...last, text: last.text + added, parts: [...last.parts, { type: 'text', text: added } as const] };
  return [...messages.slice(0, at - 1), joined, ...messages.slice(at)];
}

/** Like `instructedRequest`, for a request in OpenAI's dialect that is passed through. */
function instructedBody(body: JsonObject, lacks: UnsupportedFormats, model: string): Adjustment | undefined {
  const format = body['response_format'];
  const type = textAt(format, 'type');
  if ((type !== 'json_schema' && type !== 'json_object') || !isLacked(lacks, type, model)) return undefined;
  if (!Array.isArray(body['messages'])) return undefined;
  const schema = type === 'json_schema' ? objectAt(objectAt(format, 'json_schema'), 'schema') : undefined;
  return {
    changes: {
      messages: withInstruction(body['messages'], instructionFor(schema)),
      response_format: isLacked(lacks, 'json_object', model) ? undefined : { type: 'json_object' },
    },
    ignored: [ignoredName(type)],
  };
}

function withInstruction([first, ...others]: readonly unknown[], text: string): readonly unknown[] {
  const isSystem = isObject(first) && (first['role'] === 'system' || first['role'] === 'developer');
  if (!isSystem) return [{ role: 'system', content: text }, ...(first === undefined ? [] : [first]), ...others];
  return [{ ...first, content: withText(first['content'], text) }, ...others];
}

function withText(content: unknown, text: string): unknown {
  if (Array.isArray(content)) return [...(content as readonly unknown[]), { type: 'text', text }];
  return typeof content === 'string' && content !== '' ? `${content}\n\n${text}` : text;
}

type BodyLimits = Pick<PassThrough, 'drops' | 'ranges' | 'lacks'>;

/** Removes fields that the upstream or its model rejects from a request that is passed through. */
export function fitBody(body: JsonObject, wire: BodyLimits, upstream: Upstream): Adjustment {
  const left = wire.drops?.(body, upstream) ?? [];
  const kept: JsonObject = left.length === 0 ? body : { ...body, ...without(left) };
  const moved = wire.ranges ? clampedFields(wire.ranges, kept) : {};
  const rejected = rejectedParameters(upstream.model, kept);
  const instructed = wire.lacks && instructedBody(kept, wire.lacks, upstream.model);
  if (left.length === 0 && !wire.ranges && !instructed) return rejected;
  const clamped = Object.keys(moved).filter((name) => !hasNoEffect(name, body[name]));
  return {
    changes: { ...without(left), ...moved, ...rejected.changes, ...instructed?.changes },
    ignored: [...new Set([...left, ...clamped, ...rejected.ignored, ...(instructed?.ignored ?? [])])],
  };
}

const without = (names: readonly string[]): JsonObject => Object.fromEntries(names.map((name) => [name, undefined]));

/** Numbers outside the provider's ranges, clamped to them. */
export function clampedFields(ranges: ParameterRanges, body: JsonObject): Readonly<Record<string, number>> {
  const moved: Record<string, number> = {};
  for (const [name, [min, max]] of Object.entries(ranges)) {
    const value = body[name];
    if (typeof value !== 'number') continue;
    if (value < min) moved[name] = min;
    else if (value > max) moved[name] = max;
  }
  return moved;
}
