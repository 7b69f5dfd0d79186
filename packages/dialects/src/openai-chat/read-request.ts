import type { ChatExtras, ChatRequest, ResponseFormat, Tool } from '../chat/chat-request.ts';
import {
  booleanOf,
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  optionalText,
  requiredText,
} from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { cacheMarkOf } from './read-content.ts';
import { readMessage } from './read-message.ts';

/** Reads the client's JSON; throws a RequestProblem that names the invalid field. */
export function readChatRequest(body: JsonObject): ChatRequest {
  return {
    messages: listOf(body['messages'], 'messages').map(readMessage),
    tools: body['tools'] == null ? [] : listOf(body['tools'], 'tools').map(readTool),
    toolChoice: readToolChoice(body['tool_choice']),
    parallelToolCalls: booleanOf(body['parallel_tool_calls'], 'parallel_tool_calls'),
    maxTokens:
      numberOf(body['max_completion_tokens'], 'max_completion_tokens') ?? numberOf(body['max_tokens'], 'max_tokens'),
    temperature: numberOf(body['temperature'], 'temperature'),
    topP: numberOf(body['top_p'], 'top_p'),
    topK: numberOf(body['top_k'], 'top_k'),
    frequencyPenalty: numberOf(body['frequency_penalty'], 'frequency_penalty'),
    presencePenalty: numberOf(body['presence_penalty'], 'presence_penalty'),
    seed: numberOf(body['seed'], 'seed'),
    stop: readStop(body['stop']),
    responseFormat: readResponseFormat(body['response_format']),
    reasoningEffort: optionalText(body['reasoning_effort'], 'reasoning_effort'),
    reasoningBudget: undefined,
    user: optionalText(body['user'], 'user'),
    isStream: body['stream'] === true,
    choices: numberOf(body['n'], 'n') ?? 1,
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
    ...(body['min_p'] != null && { minP: numberOf(body['min_p'], 'min_p') ?? 0 }),
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
    ...(prediction != null && { prediction: objectOf(prediction, 'prediction') }),
    ...(web_search_options != null && { webSearch: objectOf(web_search_options, 'web_search_options') }),
    ...(Array.isArray(functions) && functions.length > 0 && { hasFunctions: true }),
  };
}

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
    description: optionalText(described['description'], `${at}.function.description`),
    parameters:
      described['parameters'] == null ? noParameters : objectOf(described['parameters'], `${at}.function.parameters`),
    ...(described['strict'] === true && { isStrict: true }),
    // Clients put the cache mark next to the function or inside it.
    ...cacheMarkOf(described, `${at}.function`),
    ...cacheMarkOf(tool, at),
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
    name: optionalText(described['name'], 'response_format.json_schema.name') ?? 'answer',
    schema: objectOf(described['schema'], 'response_format.json_schema.schema'),
    ...(described['strict'] === true && { isStrict: true }),
  };
}
