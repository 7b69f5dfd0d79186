import {
  type ChatDelta,
  type ChatMessage,
  type ChatRequest,
  type ChatResponse,
  type ContentPart,
  type FinishReason,
  isObject,
  joinReasoning,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  RequestProblem,
  type Tool,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import { jsonBody } from '../json-body.ts';
import { bearer } from '../openai-compatible/pass-through.ts';
import type { ChatAdaptor, JsonObject, StreamDecoder, Upstream } from '../provider.ts';

/** Cohere's chat, version 2. */
export const chat: ChatAdaptor = {
  kind: 'convert',
  takes: [
    'temperature',
    'top_p',
    'top_k',
    'stop',
    'seed',
    'frequency_penalty',
    'presence_penalty',
    'tools',
    'tool_choice',
    'response_format',
    'reasoning_effort',
    'image_url',
  ],
  ranges: { temperature: [0, 1], top_p: [0.01, 0.99], frequency_penalty: [0, 1], presence_penalty: [0, 1] },
  inlinesImages: true,
  encode: (request, upstream) => ({
    method: 'POST',
    url: `${upstream.baseUrl}/v2/chat`,
    headers: { 'content-type': 'application/json', ...bearer(upstream) },
    body: jsonBody(encodeBody(request, upstream), upstream),
  }),
  decode,
  stream: { framing: 'sse', open: () => new CohereStream() },
};

/** Undefined fields are omitted in JSON. */
function encodeBody(request: ChatRequest, { model, isStream }: Upstream): JsonObject {
  const { stop } = request;
  return {
    model,
    messages: request.messages.map(encodeMessage),
    stream: isStream,
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    p: request.topP,
    k: request.topK,
    seed: request.seed,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    stop_sequences: stop.length > 0 ? stop : undefined,
    response_format: encodeFormat(request.responseFormat),
    thinking: encodeThinking(request.reasoningEffort, model),
    ...(request.tools.length > 0 && encodeTools(request)),
  };
}

/** Cohere cannot force a tool by name, so only the forced tool is offered. */
function encodeTools({ tools, toolChoice }: ChatRequest): JsonObject {
  const offered = typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  if (offered.length === 0) throw new RequestProblem('tool_choice', 'tool_choice must name one of the tools');
  return {
    tools: offered.map(encodeTool),
    ...(toolChoice === 'none' && { tool_choice: 'NONE' }),
    ...((toolChoice === 'required' || typeof toolChoice === 'object') && { tool_choice: 'REQUIRED' }),
  };
}

const encodeTool = ({ name, description, parameters }: Tool): JsonObject => ({
  type: 'function',
  function: { name, description, parameters },
});

function encodeFormat(format: ChatRequest['responseFormat']): JsonObject | undefined {
  if (format === undefined) return undefined;
  return { type: 'json_object', ...(format.type === 'json_schema' && { json_schema: format.schema }) };
}

const budgets: Readonly<Record<string, number | undefined>> = { minimal: 512, low: 1024, medium: 8192 };

function encodeThinking(effort: string | undefined, model: string): JsonObject | undefined {
  if (effort === undefined) return undefined;
  // A model without reasoning rejects even the setting that disables it.
  if (effort === 'none') return /reasoning|command-a-plus/.test(model) ? { type: 'disabled' } : undefined;
  return { type: 'enabled', token_budget: budgets[effort] };
}

function decode(body: unknown): ChatResponse {
  const message = objectAt(body, 'message');
  const finish = textAt(body, 'finish_reason');
  if (finish === '') {
    const words = isObject(body) && typeof body['message'] === 'string' ? body['message'] : undefined;
    throw new UpstreamProblem(502, words ?? 'The upstream returned no message');
  }
  const parts = listAt(message, 'content');
  const toolCalls = listAt(message, 'tool_calls').map((call) => ({
    id: textAt(call, 'id'),
    name: textAt(objectAt(call, 'function'), 'name'),
    arguments: argumentsOf(textAt(objectAt(call, 'function'), 'arguments')),
  }));
  const reasoning = textAt(message, 'tool_plan') + parts.map((part) => textAt(part, 'thinking')).join('');
  return {
    choices: [
      {
        content: parts.map((part) => textAt(part, 'text')).join(''),
        ...(reasoning !== '' && { reasoning }),
        ...(toolCalls.length > 0 && { toolCalls }),
        finishReason: finishReasonOf(finish, textAt(body, 'error')),
      },
    ],
    usage: usageOf(body),
  };
}

/** Writes a message; Cohere's format equals OpenAI's except for the plan before tool calls. */
function encodeMessage(message: ChatMessage): JsonObject {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: encodeParts(message.parts) };
    case 'assistant': {
      const { text, thoughts, toolCalls } = message;
      const plan = joinReasoning(thoughts);
      if (toolCalls.length === 0) return { role: 'assistant', content: text };
      return {
        role: 'assistant',
        ...(text !== '' && { content: text }),
        ...(plan !== '' && { tool_plan: plan }),
        tool_calls: toolCalls.map(({ id, name, arguments: json }) => ({
          id,
          type: 'function',
          function: { name, arguments: json },
        })),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.text };
  }
}

function encodeParts(parts: readonly ContentPart[]): string | readonly JsonObject[] {
  const [only] = parts;
  if (only === undefined) return '';
  return parts.length === 1 && only.type === 'text' ? only.text : parts.map(encodePart);
}

function encodePart(part: ContentPart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type !== 'image')
    throw new RequestProblem(part.type, `The channel's provider does not support ${part.type}`);
  const { image } = part;
  const url = 'url' in image ? image.url : `data:${image.mediaType};base64,${image.data}`;
  return { type: 'image_url', image_url: { url } };
}

class CohereStream implements StreamDecoder {
  usage: Usage | undefined;
  /** Upstream index of the current call, and whether its arguments have started. */
  #call = { number: -1, hasArguments: false };
  #hasBegun = false;

  push({ data }: StreamFrame): readonly ChatDelta[] {
    const event = parseFrame(data);
    const delta = objectAt(event, 'delta');
    const message = objectAt(delta, 'message');
    switch (textAt(event, 'type')) {
      case 'message-start':
        return this.#open();
      case 'content-start':
      case 'content-delta': {
        const content = objectAt(message, 'content');
        return [...piece('reasoning', textAt(content, 'thinking')), ...piece('content', textAt(content, 'text'))];
      }
      case 'tool-plan-delta':
        return piece('reasoning', textAt(message, 'tool_plan'));
      case 'tool-call-start':
      case 'tool-call-delta':
      case 'tool-call-end':
        return this.#readCall(textAt(event, 'type'), objectAt(message, 'tool_calls'));
      case 'message-end':
        this.usage = usageOf(delta);
        return [{ finishReason: finishReasonOf(textAt(delta, 'finish_reason'), textAt(delta, 'error')) }];
      default:
        return [];
    }
  }

  /** A second start discards the first. */
  #open(): readonly ChatDelta[] {
    const isAgain = this.#hasBegun;
    this.#hasBegun = true;
    return isAgain ? [{ restarts: true }] : [];
  }

  #readCall(type: string, call: unknown): readonly ChatDelta[] {
    const called = objectAt(call, 'function');
    const text = textAt(called, 'arguments');
    if (type === 'tool-call-start') {
      this.#call = { number: this.#call.number + 1, hasArguments: text !== '' };
      const toolCall = { index: this.#call.number, id: textAt(call, 'id'), name: textAt(called, 'name') };
      return [{ toolCall: { ...toolCall, arguments: text } }];
    }
    const index = this.#call.number;
    const isNothing = !this.#call.hasArguments && argumentsOf(text) === '{}';
    if (type === 'tool-call-delta' && !isNothing) {
      this.#call.hasArguments = true;
      return [{ toolCall: { index, arguments: text } }];
    }
    return type === 'tool-call-end' && isNothing ? [{ toolCall: { index, arguments: '{}' } }] : [];
  }
}

const piece = (name: 'content' | 'reasoning', text: string): readonly ChatDelta[] =>
  text === '' ? [] : [{ [name]: text }];

/** A call of a tool without parameters has empty or `null` arguments. */
const argumentsOf = (json: string) => (json.trim() === '' || json.trim() === 'null' ? '{}' : json);

function finishReasonOf(reason: string, message: string): FinishReason {
  const known = finishReasons[reason];
  if (known !== undefined) return known;
  throw new UpstreamProblem(502, message || 'The upstream aborted the response', reason || null);
}

const finishReasons: Readonly<Record<string, FinishReason | undefined>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  ERROR_LIMIT: 'length',
  TOOL_CALL: 'tool_calls',
  ERROR_TOXIC: 'content_filter',
};

/** All tokens read and written, not just the billed ones; cached tokens are included. */
function usageOf(source: unknown): Usage | undefined {
  const usage = objectAt(source, 'usage');
  const count = (name: string) => numberAt(objectAt(usage, 'tokens'), name);
  const billed = (name: string) => numberAt(objectAt(usage, 'billed_units'), name);
  const prompt = count('input_tokens') ?? billed('input_tokens');
  if (prompt === undefined) return undefined;
  const cached = numberAt(usage, 'cached_tokens') ?? 0;
  const thoughts = count('reasoning_tokens') ?? 0;
  const images = Math.max(count('image_tokens') ?? 0, 0);
  return {
    promptTokens: prompt + images,
    completionTokens: count('output_tokens') ?? billed('output_tokens') ?? 0,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(thoughts > 0 && { reasoningTokens: thoughts }),
    ...(images > 0 && { imageTokens: images }),
  };
}
