import {
  type AssistantMessage,
  type ChatDelta,
  type ChatMessage,
  type ChatRequest,
  type ChatResponse,
  type ContentPart,
  DeltaMerger,
  type FinishReason,
  isObject,
  joinReasoning,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  parseJsonObject,
  RequestProblem,
  requestBounds,
  type Tool,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import { jsonBody } from '../json-body.ts';
import type { ChatAdaptor, JsonObject, StreamDecoder, Upstream, UpstreamRequest } from '../provider.ts';

/** Ollama's native chat, which supports more than its OpenAI dialect. */
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
    'response_format',
    'reasoning_effort',
    'image_url',
  ],
  ranges: { temperature: [0, Number.POSITIVE_INFINITY] },
  inlinesImages: true,
  encode: (request, upstream) => postRequest(upstream, '/api/chat', encodeBody(request, upstream)),
  decode,
  stream: { framing: 'ndjson', open: () => new OllamaStream() },
  readProblem,
};

export const postRequest = (upstream: Upstream, path: string, body: JsonObject): UpstreamRequest => ({
  method: 'POST',
  url: upstream.baseUrl + path,
  headers: { 'content-type': 'application/json', ...keyHeader(upstream) },
  body: jsonBody(body, upstream),
});

/** Authorization header; a self-hosted server needs none. */
export const keyHeader = ({ key }: Upstream): Readonly<Record<string, string>> =>
  key === '' ? {} : { authorization: `Bearer ${key}` };

/** Undefined fields are omitted in JSON. */
function encodeBody(request: ChatRequest, { model, isStream, config }: Upstream): JsonObject {
  const { responseFormat: format, tools } = request;
  const options = encodeOptions(request, config);
  return {
    model,
    messages: encodeMessages(request.messages),
    stream: isStream,
    ...(Object.values(options).some((value) => value !== undefined) && { options }),
    ...(tools.length > 0 && { tools: tools.map(encodeTool) }),
    format: format?.type === 'json_schema' ? format.schema : format && 'json',
    think: encodeThinking(request.reasoningEffort, model),
    keep_alive: keepAliveOf(config),
  };
}

const encodeTool = ({ name, description, parameters }: Tool): JsonObject => ({
  type: 'function',
  function: { name, description, parameters },
});

function encodeOptions({ stop, ...request }: ChatRequest, config: Upstream['config']): JsonObject {
  return {
    num_predict: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    // Ollama silently truncates a prompt to the loaded context size, which is often small. A larger size reloads the
    // model for all users, so only the admin may set it.
    num_ctx: Number(config['num_ctx']) || undefined,
    seed: request.seed,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    stop: stop.length > 0 ? stop : undefined,
  };
}

/** How long a model stays loaded: seconds, or a duration such as `10m`. Only the admin may set it. */
function keepAliveOf({ keep_alive: time = '' }: Upstream['config']): string | number | undefined {
  if (time === '') return undefined;
  return Number.isNaN(Number(time)) ? time : Number(time);
}

/** Reasoning setting: only OpenAI's open models have levels; for others it is on or off. */
function encodeThinking(effort: string | undefined, model: string): boolean | string | undefined {
  if (effort === undefined) return undefined;
  if (!model.includes('gpt-oss')) return effort !== 'none';
  return degrees[effort] ?? effort;
}

const degrees: Readonly<Record<string, string | undefined>> = {
  none: 'low',
  minimal: 'low',
  xhigh: 'high',
  max: 'high',
};

/** A whole response is handled as a stream with one line. */
function decode(body: unknown): ChatResponse {
  const reader = new OllamaStream();
  const gatherer = new DeltaMerger();
  for (const delta of reader.read(body)) gatherer.add(delta);
  const response = gatherer.response(reader.usage);
  if (response && isObject(body) && isObject(body['message'])) return response;
  throw new UpstreamProblem(502, 'The upstream returned no message');
}

class OllamaStream implements StreamDecoder {
  usage: Usage | undefined;
  #callCount = 0;

  push({ data }: StreamFrame): readonly ChatDelta[] {
    return this.read(parseFrame(data));
  }

  read(line: unknown): readonly ChatDelta[] {
    if (textAt(line, 'error') !== '') throw readProblem(502, line);
    const message = objectAt(line, 'message');
    const reasoning = textAt(message, 'thinking');
    const content = textAt(message, 'content');
    const deltas: ChatDelta[] = [];
    if (reasoning !== '') deltas.push({ reasoning });
    if (content !== '') deltas.push({ content });
    for (const call of listAt(message, 'tool_calls')) deltas.push(this.#readCall(call, line));
    if (isObject(line) && line['done'] === true) {
      this.usage = usageOf(line);
      deltas.push({ finishReason: this.#finishReason(textAt(line, 'done_reason')) });
    }
    return deltas;
  }

  /** Older servers send no id, so the timestamp distinguishes calls of different responses. */
  #readCall(call: unknown, line: unknown): ChatDelta {
    const index = this.#callCount++;
    const called = objectAt(call, 'function');
    const id = textAt(call, 'id') || `call_${textAt(line, 'created_at').replaceAll(/\D/g, '')}_${index}`;
    const json = JSON.stringify(objectAt(called, 'arguments'));
    return { toolCall: { index, id, name: textAt(called, 'name'), arguments: json } };
  }

  #finishReason(reason: string): FinishReason {
    if (reason === 'length') return 'length';
    return this.#callCount > 0 ? 'tool_calls' : 'stop';
  }
}

/** Ollama does not count a cached prompt, so usage is unknown in that case. */
function usageOf(line: unknown): Usage | undefined {
  const prompt = numberAt(line, 'prompt_eval_count');
  return prompt === undefined
    ? undefined
    : { promptTokens: prompt, completionTokens: numberAt(line, 'eval_count') ?? 0 };
}

function readProblem(status: number, body: unknown): UpstreamProblem | undefined {
  const errorText = textAt(body, 'error');
  return errorText === '' ? undefined : new UpstreamProblem(status, errorText);
}

/** Writes Ollama's messages: text as one string, images in a separate field, results by tool name. */
function encodeMessages(messages: readonly ChatMessage[]): readonly JsonObject[] {
  const toolNames = new Map<string, string>();
  return messages.map((message, index) => encodeMessage(message, index, toolNames));
}

function encodeMessage(message: ChatMessage, index: number, toolNames: Map<string, string>): JsonObject {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return encodeUser(message.parts);
    case 'assistant':
      for (const { id, name } of message.toolCalls) toolNames.set(id, name);
      return encodeAssistant(message, index);
    case 'tool':
      return { role: 'tool', content: message.text, tool_name: toolNames.get(message.toolCallId) };
  }
}

function encodeUser(parts: readonly ContentPart[]): JsonObject {
  const images = parts.flatMap((part) => {
    if (part.type !== 'image') return [];
    if ('url' in part.image) throw new Error('an image URL was not fetched');
    return [part.image.data];
  });
  return {
    role: 'user',
    content: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    ...(images.length > 0 && { images }),
  };
}

function encodeAssistant({ text, thoughts, toolCalls }: AssistantMessage, index: number): JsonObject {
  const thinking = joinReasoning(thoughts);
  return {
    role: 'assistant',
    content: text,
    ...(thinking !== '' && { thinking }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ name, arguments: json }, number) => ({
        function: {
          name,
          arguments: parseArguments(json, `messages[${index}].tool_calls[${number}].function.arguments`),
        },
      })),
    }),
  };
}

function parseArguments(json: string, at: string): JsonObject {
  const value = parseJsonObject(json, requestBounds);
  if (value) return value;
  throw new RequestProblem(at, `${at} must be a JSON object`);
}
