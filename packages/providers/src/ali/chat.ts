import {
  type ChatDelta,
  type ChatField,
  type ChatMessage,
  type ChatRequest,
  type ChatResponse,
  type ContentPart,
  DeltaMerger,
  type FinishReason,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  RequestProblem,
  type ResponseFormat,
  readMediaUsage,
  textAt,
  UpstreamProblem,
  type Usage,
  validMediaUsage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import { jsonBody } from '../json-body.ts';
import { bearer } from '../openai-compatible/pass-through.ts';
import type { ChatAdaptor, ParameterRanges, StreamDecoder, Upstream } from '../provider.ts';
import { readAliProblem } from './problem.ts';

const generationFields: readonly ChatField[] = [
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'seed',
  'presence_penalty',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'image_url',
];

export const aliParameterRanges: ParameterRanges = { top_p: [0.0001, 0.9999], temperature: [0, 1.9999] };

/** True if a request needs the multimodal endpoint, which only accepts content as a list of parts. */
const isMultimodal = (request: ChatRequest, model: string) =>
  /-vl|-ocr|-audio|omni|qvq/.test(model) ||
  request.messages.some((message) => message.role === 'user' && message.parts.some(isImage));

const isImage = ({ type }: ContentPart) => type === 'image';

/** A request in DashScope's native format. */
function encodeGeneration(request: ChatRequest, model: string): JsonObject {
  const inParts = isMultimodal(request, model);
  return {
    model,
    input: { messages: request.messages.map((message) => encodeMessage(message, inParts)) },
    parameters: {
      result_format: 'message',
      ...(request.isStream && { incremental_output: true }),
      max_tokens: request.maxTokens,
      temperature: request.temperature,
      top_p: request.topP,
      seed: request.seed,
      stop: request.stop.length > 0 ? request.stop : undefined,
      presence_penalty: request.presencePenalty,
      response_format: encodeFormat(request.responseFormat),
      ...encodeTools(request),
      ...encodeThinking(request),
      ...request.extras.dashscope,
    },
  };
}

function encodeMessage(message: ChatMessage, inParts: boolean): JsonObject {
  const content = (text: string) => (inParts ? [{ text }] : text);
  switch (message.role) {
    case 'system':
      return { role: 'system', content: content(message.text) };
    case 'user':
      return { role: 'user', content: inParts ? message.parts.map(encodePart) : textOf(message.parts) };
    case 'tool':
      return { role: 'tool', content: content(message.text), tool_call_id: message.toolCallId };
    case 'assistant':
      return {
        role: 'assistant',
        content: content(message.text),
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map(({ id, name, arguments: json }) => ({
            id,
            type: 'function',
            function: { name, arguments: json },
          })),
        }),
      };
  }
}

function encodePart(part: ContentPart): JsonObject {
  if (part.type === 'text') return { text: part.text };
  if (part.type !== 'image')
    throw new RequestProblem(part.type, `The channel's provider does not support ${part.type}`);
  const { image } = part;
  return { image: 'url' in image ? image.url : `data:${image.mediaType};base64,${image.data}` };
}

const textOf = (parts: readonly ContentPart[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

function encodeFormat(format: ResponseFormat | undefined): JsonObject | undefined {
  if (format?.type !== 'json_schema') return format;
  return { type: 'json_schema', json_schema: { name: format.name, schema: format.schema, strict: true } };
}

function encodeTools({ tools, toolChoice, parallelToolCalls }: ChatRequest): JsonObject {
  if (tools.length === 0) return {};
  if (toolChoice === 'required') {
    throw new RequestProblem('tool_choice', "The channel's provider does not support tool_choice required");
  }
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    tool_choice:
      typeof toolChoice === 'object' ? { type: 'function', function: { name: toolChoice.name } } : toolChoice,
    parallel_tool_calls: parallelToolCalls,
  };
}

const encodeThinking = ({ reasoningEffort, reasoningBudget, extras }: ChatRequest): JsonObject => ({
  ...(reasoningEffort !== undefined && {
    enable_thinking: reasoningEffort !== 'none' && reasoningEffort !== 'minimal',
  }),
  ...(extras.hasReasoningSuffix && reasoningBudget !== undefined && { thinking_budget: reasoningBudget }),
});

/** A whole response is handled as a stream with one chunk. */
function decodeGeneration(body: unknown): ChatResponse {
  const reader = new GenerationReader();
  const gatherer = new DeltaMerger();
  for (const delta of reader.read(body)) gatherer.add(delta);
  const response = gatherer.response(reader.usage);
  if (response) return response;
  throw new UpstreamProblem(502, 'The upstream returned no choice');
}

class GenerationReader implements StreamDecoder {
  usage: Usage | undefined;
  readonly #named = new Set<number>();

  push({ event, data }: StreamFrame): readonly ChatDelta[] {
    const body = parseFrame(data);
    if (event === 'error')
      throw readAliProblem(502, body) ?? new UpstreamProblem(502, 'The upstream aborted the response');
    return this.read(body);
  }

  read(body: unknown): readonly ChatDelta[] {
    const problem = readAliProblem(502, body);
    if (problem) throw problem;
    this.usage = usageOf(objectAt(body, 'usage')) ?? this.usage;
    const [choice] = listAt(objectAt(body, 'output'), 'choices');
    if (choice === undefined) return [];
    const message = objectAt(choice, 'message');
    const deltas: ChatDelta[] = [];
    const reasoning = textAt(message, 'reasoning_content');
    if (reasoning !== '') deltas.push({ reasoning });
    const content =
      textAt(message, 'content') ||
      listAt(message, 'content')
        .map((part) => textAt(part, 'text'))
        .join('');
    if (content !== '') deltas.push({ content });
    for (const [position, call] of listAt(message, 'tool_calls').entries())
      deltas.push(this.#readCall(call, position, textAt(body, 'request_id')));
    const finishReason = this.#finishReason(textAt(choice, 'finish_reason'));
    if (finishReason) deltas.push({ finishReason });
    return deltas;
  }

  #readCall(call: unknown, position: number, requestId: string): ChatDelta {
    const called = objectAt(call, 'function');
    const index = numberAt(call, 'index') ?? position;
    const isNew = !this.#named.has(index);
    this.#named.add(index);
    return {
      toolCall: {
        index,
        ...(isNew && { id: textAt(call, 'id') || `call_${requestId}_${index}`, name: textAt(called, 'name') }),
        arguments: textAt(called, 'arguments'),
      },
    };
  }

  /** Until the end, the finish reason is the string "null". */
  #finishReason(word: string): FinishReason | undefined {
    if (word === '' || word === 'null') return undefined;
    if (word === 'length' || word === 'content_filter') return word;
    return this.#named.size > 0 ? 'tool_calls' : 'stop';
  }
}

function usageOf(counts: unknown): Usage | undefined {
  const prompt = numberAt(counts, 'input_tokens');
  if (prompt === undefined) return undefined;
  const cached = numberAt(objectAt(counts, 'prompt_tokens_details'), 'cached_tokens') ?? 0;
  const responded = objectAt(counts, 'output_tokens_details');
  const reasoning = numberAt(responded, 'reasoning_tokens') ?? 0;
  // Next to the total, or in its details.
  const top = { image_tokens: numberAt(counts, 'image_tokens'), audio_tokens: numberAt(counts, 'audio_tokens') };
  return {
    promptTokens: prompt,
    completionTokens: numberAt(counts, 'output_tokens') ?? 0,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
    ...validMediaUsage(readMediaUsage({ ...top, ...objectAt(counts, 'input_tokens_details') }, responded)),
  };
}

/** Plugin setting of a channel; empty if it has none. */
export const configuredPlugin = ({ config, other }: Upstream) => config['plugin'] || other;

/** Adds DashScope's fields, over which the client's values take precedence. */
const withDashscope = (request: ChatRequest, words: JsonObject): ChatRequest => ({
  ...request,
  extras: { ...request.extras, dashscope: { ...words, ...request.extras.dashscope } },
});

/** DashScope's native format, the only one that supports plugins. */
export const generation: ChatAdaptor = {
  kind: 'convert',
  takes: generationFields,
  ranges: aliParameterRanges,
  encode(request, upstream) {
    const { model, enable_search } = splitSearchSuffix(upstream.model);
    const body = encodeGeneration(enable_search ? withDashscope(request, { enable_search }) : request, model);
    const service = isMultimodal(request, model) ? 'multimodal-generation' : 'text-generation';
    return {
      method: 'POST',
      url: `${upstream.baseUrl}/api/v1/services/aigc/${service}/generation`,
      headers: {
        'content-type': 'application/json',
        ...bearer(upstream),
        'x-dashscope-plugin': configuredPlugin(upstream),
        ...(request.isStream && { accept: 'text/event-stream', 'x-dashscope-sse': 'enable' }),
      },
      body: jsonBody(body, upstream),
    };
  },
  decode: decodeGeneration,
  stream: { framing: 'sse', open: () => new GenerationReader() },
  readProblem: readAliProblem,
};

const suffix = '-internet';

/** Separates the model name suffix that enables web search. */
export const splitSearchSuffix = (model: string): { readonly model: string; readonly enable_search?: true } =>
  model.endsWith(suffix) ? { model: model.slice(0, -suffix.length), enable_search: true } : { model };
