import {
  type ChatRequest,
  type ChatResponse,
  isObject,
  listAt,
  objectAt,
  RequestProblem,
  type Tool,
  textAt,
  UpstreamProblem,
} from '@headgate/dialects';
import { jsonBody } from '../json-body.ts';
import { bearer } from '../openai-compatible/pass-through.ts';
import type { ChatAdaptor, JsonObject, Upstream } from '../provider.ts';
import { argumentsOf, CohereStream, finishReasonOf, usageOf } from './chat-stream.ts';
import { encodeMessage } from './messages.ts';

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

/** Cohere cannot require a tool by name, so the required tool is the only one offered. */
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
