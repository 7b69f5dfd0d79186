import { type ChatMessage, readMessage } from './chat-message.ts';
import { type Marked, markOf } from './content-part.ts';
import {
  booleanOf,
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  requiredText,
  textOrNone,
} from './json-fields.ts';
import { RequestProblem } from './problems.ts';

/** OpenAI's chat request in one tidy shape: every spelling it allows is read here and nowhere else. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Tool[];
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string } | undefined;
  readonly parallelToolCalls: boolean | undefined;
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly frequencyPenalty: number | undefined;
  readonly presencePenalty: number | undefined;
  readonly seed: number | undefined;
  readonly stop: readonly string[];
  readonly responseFormat: ResponseFormat | undefined;
  readonly reasoningEffort: string | undefined;
  readonly user: string | undefined;
  readonly isStream: boolean;
  /** As it came, for what only one provider knows. */
  readonly body: JsonObject;
}

export interface Tool extends Marked {
  readonly name: string;
  readonly description: string | undefined;
  /** JSON schema; an object without properties when the client gave none. */
  readonly parameters: JsonObject;
}

export type ResponseFormat =
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly name: string; readonly schema: JsonObject };

/** What a request may ask for beyond text and a limit, under OpenAI's names; pictures and sounds by their parts. */
export type ChatField = ChatHint | ChatDemand;

/**
 * How to choose the words, and for whom: an answer without them is still an answer to the question. The last two are
 * about an upstream's memory, which is its owner's.
 */
export type ChatHint = (typeof chatHints)[number];

export const chatHints = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'user',
  'num_ctx',
  'keep_alive',
] as const;

/** What is asked for, or in which form the answer must come. */
export type ChatDemand = (typeof chatDemands)[number];

export const chatDemands = [
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'image_url',
  'input_audio',
  'file',
  'n',
  'logprobs',
  'modalities',
  'prediction',
  'web_search_options',
  'functions',
] as const;

/** Reads the client's JSON; throws RequestProblem that names what is wrong. */
export function readChatRequest(body: JsonObject): ChatRequest {
  const format = readResponseFormat(body['response_format']);
  return {
    messages: listOf(body['messages'], 'messages').map(readMessage),
    tools: body['tools'] == null ? [] : listOf(body['tools'], 'tools').map(readTool),
    toolChoice: readToolChoice(body['tool_choice']),
    parallelToolCalls: booleanOf(body['parallel_tool_calls'], 'parallel_tool_calls'),
    maxTokens:
      numberOf(body['max_completion_tokens'], 'max_completion_tokens') ?? numberOf(body['max_tokens'], 'max_tokens'),
    temperature: numberOf(body['temperature'], 'temperature'),
    topP: numberOf(body['top_p'], 'top_p'),
    frequencyPenalty: numberOf(body['frequency_penalty'], 'frequency_penalty'),
    presencePenalty: numberOf(body['presence_penalty'], 'presence_penalty'),
    seed: numberOf(body['seed'], 'seed'),
    stop: readStop(body['stop']),
    responseFormat: format,
    reasoningEffort: textOrNone(body['reasoning_effort'], 'reasoning_effort'),
    user: textOrNone(body['user'], 'user'),
    isStream: body['stream'] === true,
    body,
  };
}

/** The hints a request gives; one at its default hints at nothing. */
export function hintsIn(request: ChatRequest): readonly ChatHint[] {
  const { body } = request;
  const isGiven: Readonly<Record<ChatHint, boolean>> = {
    temperature: request.temperature !== undefined,
    top_p: request.topP !== undefined && request.topP !== 1,
    top_k: body['top_k'] != null,
    min_p: body['min_p'] != null,
    stop: request.stop.length > 0,
    seed: request.seed !== undefined,
    frequency_penalty: Boolean(request.frequencyPenalty),
    presence_penalty: Boolean(request.presencePenalty),
    logit_bias: isObject(body['logit_bias']) && Object.keys(body['logit_bias']).length > 0,
    user: request.user !== undefined,
    num_ctx: body['num_ctx'] != null,
    keep_alive: body['keep_alive'] != null,
  };
  return chatHints.filter((hint) => isGiven[hint]);
}

/** What a request demands; a demand for the usual is none. */
export function demandsIn(request: ChatRequest): readonly ChatDemand[] {
  const { body } = request;
  const parts = request.messages.flatMap((message) => (message.role === 'user' ? message.parts : []));
  const isAsked: Readonly<Record<ChatDemand, boolean>> = {
    tools: request.tools.length > 0 || request.messages.some(isAboutTools),
    tool_choice: request.tools.length > 0 && request.toolChoice !== undefined && request.toolChoice !== 'auto',
    parallel_tool_calls: request.tools.length > 0 && request.parallelToolCalls === false,
    response_format: request.responseFormat !== undefined,
    reasoning_effort: request.reasoningEffort !== undefined && request.reasoningEffort !== 'none',
    image_url: parts.some(({ type }) => type === 'image'),
    input_audio: parts.some(({ type }) => type === 'audio'),
    file: parts.some(({ type }) => type === 'file'),
    n: body['n'] != null && body['n'] !== 1,
    logprobs: body['logprobs'] === true,
    modalities: Array.isArray(body['modalities']) && body['modalities'].some((name) => name !== 'text'),
    prediction: body['prediction'] != null,
    web_search_options: body['web_search_options'] != null,
    functions: Array.isArray(body['functions']) && body['functions'].length > 0,
  };
  return chatDemands.filter((demand) => isAsked[demand]);
}

const isAboutTools = (message: ChatMessage) =>
  message.role === 'tool' || (message.role === 'assistant' && message.toolCalls.length > 0);

const noParameters: JsonObject = { type: 'object', properties: {} };

function readTool(value: unknown, index: number): Tool {
  const at = `tools[${index}]`;
  const tool = objectOf(value, at);
  if (tool['type'] !== undefined && tool['type'] !== 'function') {
    throw new RequestProblem(`${at}.type`, `${at}.type must be function`);
  }
  const described = objectOf(tool['function'], `${at}.function`);
  return {
    name: requiredText(described['name'], `${at}.function.name`),
    description: textOrNone(described['description'], `${at}.function.description`),
    parameters:
      described['parameters'] == null ? noParameters : objectOf(described['parameters'], `${at}.function.parameters`),
    // Clients put the mark beside the function or into it.
    ...markOf(described, `${at}.function`),
    ...markOf(tool, at),
  };
}

function readToolChoice(value: unknown): ChatRequest['toolChoice'] {
  if (value == null) return undefined;
  if (value === 'auto' || value === 'none' || value === 'required') return value;
  const chosen = objectOf(objectOf(value, 'tool_choice')['function'], 'tool_choice.function');
  return { name: requiredText(chosen['name'], 'tool_choice.function.name') };
}

function readStop(value: unknown): readonly string[] {
  if (value == null) return [];
  return (Array.isArray(value) ? value : [value]).map((stop) => requiredText(stop, 'stop'));
}

function readResponseFormat(value: unknown): ResponseFormat | undefined {
  if (value == null) return undefined;
  const format = objectOf(value, 'response_format');
  if (format['type'] === 'text') return undefined;
  if (format['type'] === 'json_object') return { type: 'json_object' };
  if (format['type'] !== 'json_schema') {
    throw new RequestProblem('response_format.type', 'response_format.type must be text, json_object or json_schema');
  }
  const described = objectOf(format['json_schema'], 'response_format.json_schema');
  return {
    type: 'json_schema',
    name: textOrNone(described['name'], 'response_format.json_schema.name') ?? 'answer',
    schema: objectOf(described['schema'], 'response_format.json_schema.schema'),
  };
}
