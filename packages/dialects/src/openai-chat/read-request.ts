import {
  type CacheControlled,
  type ChatMessage,
  type ContentPart,
  joinTextParts,
  type TextPart,
} from '../chat/chat-message.ts';
import type { ChatExtras, ChatRequest, ResponseFormat, Tool } from '../chat/chat-request.ts';
import type { ToolCall } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import { readImage } from '../image-url.ts';
import {
  isObject,
  type JsonObject,
  optionalBoolean,
  optionalNumber,
  optionalText,
  requiredText,
  requireList,
  requireObject,
} from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { readReasoningDetails } from '../reasoning-details.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';
import { limitFieldNames } from './read-outline.ts';

/** Fields that determine permission, routing and reservation. */
export const routingFields: readonly string[] = [
  ...limitFieldNames,
  'model',
  'messages',
  'input',
  'prompt',
  'suffix',
  'echo',
  'prediction',
  'functions',
  'response_format',
  'query',
  'documents',
  'document',
  'pages',
  'n',
  'best_of',
  'stream',
  'stream_options',
  'size',
  'quality',
  'file',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'reasoning_effort',
  'context_management',
];

/** Fields in which routers accept fallback models. */
export const fallbackModelFields: ReadonlySet<string> = new Set([
  'models',
  'fallbacks',
  'fallback_models',
  'context_window_fallbacks',
  'content_policy_fallbacks',
]);

/** Form fields that occur only once; others, such as images, may repeat as `name[]`. */
export const singleFormFields: ReadonlySet<string> = new Set([
  'model',
  'n',
  'size',
  'quality',
  'prompt',
  'stream',
  'response_format',
  'file',
  ...limitFieldNames,
]);

/** Reads the client's JSON; throws a RequestProblem that names the invalid field. */
export function readChatRequest(body: JsonObject): ChatRequest {
  return {
    messages: requireList(body['messages'], 'messages').map(readMessage),
    tools: body['tools'] == null ? [] : requireList(body['tools'], 'tools').map(readTool),
    toolChoice: readToolChoice(body['tool_choice']),
    parallelToolCalls: optionalBoolean(body['parallel_tool_calls'], 'parallel_tool_calls'),
    maxTokens:
      optionalNumber(body['max_completion_tokens'], 'max_completion_tokens') ??
      optionalNumber(body['max_tokens'], 'max_tokens'),
    temperature: optionalNumber(body['temperature'], 'temperature'),
    topP: optionalNumber(body['top_p'], 'top_p'),
    topK: optionalNumber(body['top_k'], 'top_k'),
    frequencyPenalty: optionalNumber(body['frequency_penalty'], 'frequency_penalty'),
    presencePenalty: optionalNumber(body['presence_penalty'], 'presence_penalty'),
    seed: optionalNumber(body['seed'], 'seed'),
    stop: readStop(body['stop']),
    responseFormat: readResponseFormat(body['response_format']),
    reasoningEffort: optionalText(body['reasoning_effort'], 'reasoning_effort'),
    reasoningBudget: undefined,
    user: optionalText(body['user'], 'user'),
    isStream: body['stream'] === true,
    choices: optionalNumber(body['n'], 'n') ?? 1,
    extras: readExtras(body),
  };
}

const dashscopeFields = [
  'enable_search',
  'search_options',
  'enable_thinking',
  'thinking_budget',
  'top_k',
  'repetition_penalty',
];

function readExtras(body: JsonObject): ChatExtras {
  const dashscope = dashscopeFields.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]);
  return {
    ...(isObject(body['thinking']) && { thinking: body['thinking'] }),
    ...(isObject(body['cache_control']) && { cacheControl: body['cache_control'] }),
    ...(dashscope.length > 0 && { dashscope: Object.fromEntries(dashscope) as JsonObject }),
    ...readRareHints(body),
    ...readRareDemands(body),
  };
}

function readRareHints(body: JsonObject): ChatExtras {
  return {
    ...(body['min_p'] != null && { minP: optionalNumber(body['min_p'], 'min_p') ?? 0 }),
    ...(isObject(body['logit_bias']) && { logitBias: body['logit_bias'] }),
    ...(body['num_ctx'] != null && { hasContextSize: true }),
    ...(body['keep_alive'] != null && { hasKeepAlive: true }),
  };
}

function readRareDemands(body: JsonObject): ChatExtras {
  const { modalities, prediction, web_search_options, functions } = body;
  return {
    ...(body['logprobs'] === true && { wantsLogprobs: true }),
    ...(Array.isArray(modalities) && { modalities: modalities.map(String) }),
    ...(prediction != null && { prediction: requireObject(prediction, 'prediction') }),
    ...(web_search_options != null && { webSearch: requireObject(web_search_options, 'web_search_options') }),
    ...(Array.isArray(functions) && functions.length > 0 && { hasFunctions: true }),
  };
}

const noParameters: JsonObject = { type: 'object', properties: {} };

function readTool(value: unknown, index: number): Tool {
  const at = `tools[${index}]`;
  const tool = requireObject(value, at);
  if (tool['type'] !== undefined && tool['type'] !== 'function') {
    throw new RequestProblem(`${at}.type`, `${at}.type must be function`);
  }
  const described = requireObject(tool['function'], `${at}.function`);
  return {
    name: requiredText(described['name'], `${at}.function.name`),
    description: optionalText(described['description'], `${at}.function.description`),
    parameters:
      described['parameters'] == null
        ? noParameters
        : requireObject(described['parameters'], `${at}.function.parameters`),
    ...(described['strict'] === true && { isStrict: true }),
    // Clients put the cache marker next to the function or inside it.
    ...readCacheControl(described, `${at}.function`),
    ...readCacheControl(tool, at),
  };
}

function readToolChoice(value: unknown): ChatRequest['toolChoice'] {
  if (value == null) return undefined;
  if (value === 'auto' || value === 'none' || value === 'required') return value;
  const chosen = requireObject(requireObject(value, 'tool_choice')['function'], 'tool_choice.function');
  return { name: requiredText(chosen['name'], 'tool_choice.function.name') };
}

function readStop(value: unknown): readonly string[] {
  if (value == null) return [];
  return (Array.isArray(value) ? value : [value]).map((stop) => requiredText(stop, 'stop'));
}

function readResponseFormat(value: unknown): ResponseFormat | undefined {
  if (value == null) return undefined;
  const format = requireObject(value, 'response_format');
  if (format['type'] === 'text') return undefined;
  if (format['type'] === 'json_object') return { type: 'json_object' };
  if (format['type'] !== 'json_schema') {
    throw new RequestProblem('response_format.type', 'response_format.type must be text, json_object or json_schema');
  }
  const described = requireObject(format['json_schema'], 'response_format.json_schema');
  return {
    type: 'json_schema',
    name: optionalText(described['name'], 'response_format.json_schema.name') ?? 'answer',
    schema: requireObject(described['schema'], 'response_format.json_schema.schema'),
    ...(described['strict'] === true && { isStrict: true }),
  };
}

function readMessage(value: unknown, index: number): ChatMessage {
  const at = `messages[${index}]`;
  const message = requireObject(value, at);
  const mark = readCacheControl(message, at);
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', ...textContent(message['content'], at), ...mark };
    case 'user':
      return { role: 'user', parts: partsOf(message['content'], `${at}.content`), ...mark };
    case 'assistant':
      return {
        role: 'assistant',
        ...textContent(message['content'] ?? '', at),
        ...mark,
        thoughts: thoughtsOf(message),
        toolCalls:
          message['tool_calls'] == null
            ? []
            : requireList(message['tool_calls'], `${at}.tool_calls`).map((call, number) =>
                readToolCall(call, `${at}.tool_calls[${number}]`),
              ),
      };
    case 'tool': {
      const parts = partsOf(message['content'] ?? '', `${at}.content`);
      const toolCallId = requiredText(message['tool_call_id'], `${at}.tool_call_id`);
      return { role: 'tool', toolCallId, text: joinTextParts(parts), parts, ...mark };
    }
    default:
      throw new RequestProblem(`${at}.role`, `${at}.role must be system, developer, user, assistant or tool`);
  }
}

function textContent(content: unknown, at: string) {
  const parts = textPartsOf(content, `${at}.content`);
  return { text: joinTextParts(parts), parts };
}

/** Reasoning with signatures if the client sent them back, otherwise text only. */
function thoughtsOf(message: JsonObject): readonly ReasoningBlock[] {
  const sealed = readReasoningDetails(message);
  if (sealed.length > 0) return sealed;
  const text = textAt(message, 'reasoning_content');
  return text === '' ? [] : [{ text }];
}

function readToolCall(value: unknown, at: string): ToolCall {
  const call = requireObject(value, at);
  const called = requireObject(call['function'], `${at}.function`);
  // Google's OpenAI-compatible API uses this field.
  const signature = textAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature');
  return {
    id: requiredText(call['id'], `${at}.id`),
    name: requiredText(called['name'], `${at}.function.name`),
    arguments: optionalText(called['arguments'], `${at}.function.arguments`) || '{}',
    ...(signature !== '' && { thoughtSignature: signature }),
  };
}

/** Cache marker on a part, a message or a tool. */
const readCacheControl = ({ cache_control: mark }: JsonObject, at: string): CacheControlled =>
  mark == null ? {} : { cacheControl: requireObject(mark, `${at}.cache_control`) };

/** Text-only content. */
function textPartsOf(content: unknown, at: string): readonly TextPart[] {
  return partsOf(content, at).map((part) => {
    if (part.type !== 'text') throw new RequestProblem(at, `${at} may only contain text`);
    return part;
  });
}

function partsOf(content: unknown, at: string): readonly ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return requireList(content, at).map((part, index) => readPart(part, `${at}[${index}]`));
}

function readPart(value: unknown, at: string): ContentPart {
  const part = requireObject(value, at);
  const mark = readCacheControl(part, at);
  switch (part['type']) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: requiredText(part[part['type']], `${at}.${part['type']}`), ...mark };
    case 'image_url': {
      const given = part['image_url'];
      const url = typeof given === 'string' ? given : requireObject(given, `${at}.image_url`)['url'];
      return {
        type: 'image',
        image: readImage(requiredText(url, `${at}.image_url.url`), `${at}.image_url.url`),
        ...mark,
      };
    }
    case 'input_audio': {
      const audio = requireObject(part['input_audio'], `${at}.input_audio`);
      const data = requiredText(audio['data'], `${at}.input_audio.data`);
      return { type: 'audio', data, format: requiredText(audio['format'], `${at}.input_audio.format`), ...mark };
    }
    case 'file': {
      const file = requireObject(part['file'], `${at}.file`);
      const name = optionalText(file['filename'], `${at}.file.filename`) ?? '';
      return { type: 'file', name, data: requiredText(file['file_data'], `${at}.file.file_data`), ...mark };
    }
    default:
      throw new RequestProblem(`${at}.type`, `${at}.type is not a supported content type`);
  }
}

/** Body of a request with one user message. */
export const singleMessageBody = (model: string, question: string): string =>
  JSON.stringify({ model, messages: [{ role: 'user', content: question }] });

/** Text of a whole response; undefined without text. */
export function responseText(response: unknown): string | undefined {
  const { content } = objectAt(listAt(response, 'choices')[0], 'message');
  return typeof content === 'string' ? content : undefined;
}
