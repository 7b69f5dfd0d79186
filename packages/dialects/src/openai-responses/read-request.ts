import type { ChatExtras, ChatRequest, ResponseFormat } from '../chat/chat-request.ts';
import { booleanOf, type JsonObject, listOf, numberOf, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt } from '../upstream-fields.ts';
import { readInput } from './read-items.ts';
import { isToolList, type OfferedTools, readToolChoice, readTools } from './read-tools.ts';

/** Reads the client's JSON; throws a RequestProblem that names the invalid field, or data that only OpenAI stores. */
export function readRequest(body: JsonObject): ChatRequest {
  rejectStoredState(body);
  const { tools, serverTools, toolChoice } = readToolChoice(body['tool_choice'], offeredTools(body));
  const reasoning = body['reasoning'] == null ? {} : objectOf(body['reasoning'], 'reasoning');
  return {
    messages: [...readInstructions(body), ...readInput(body['input'])],
    tools,
    toolChoice,
    parallelToolCalls: booleanOf(body['parallel_tool_calls'], 'parallel_tool_calls'),
    maxTokens: numberOf(body['max_output_tokens'], 'max_output_tokens'),
    temperature: numberOf(body['temperature'], 'temperature'),
    topP: numberOf(body['top_p'], 'top_p'),
    topK: undefined,
    frequencyPenalty: undefined,
    presencePenalty: undefined,
    seed: undefined,
    stop: [],
    responseFormat: readFormat(textOf(body)['format']),
    reasoningEffort: optionalText(reasoning['effort'], 'reasoning.effort'),
    reasoningBudget: undefined,
    user: optionalText(body['user'], 'user') ?? optionalText(body['safety_identifier'], 'safety_identifier'),
    isStream: body['stream'] === true,
    choices: 1,
    extras: { ...readExtras(body, serverTools), ...(reasoning['summary'] != null && { wantsThoughts: true }) },
  };
}

const storedState = ['previous_response_id', 'conversation', 'prompt', 'background'];

/** Rejects fields that reference stored responses, because the channel's provider does not store responses. */
function rejectStoredState(body: JsonObject): void {
  const asked = storedState.find((name) => body[name] != null && body[name] !== false);
  if (asked === undefined) return;
  throw new RequestProblem(asked, `The channel's provider does not store responses and does not support ${asked}`);
}

const readInstructions = ({ instructions }: JsonObject): ChatRequest['messages'] => {
  const text = optionalText(instructions, 'instructions') ?? '';
  return text === '' ? [] : [{ role: 'system', text, parts: [{ type: 'text', text }] }];
};

function offeredTools(body: JsonObject): OfferedTools {
  const offered: OfferedTools = { tools: [], serverTools: [] };
  readTools(body['tools'], 'tools', offered);
  for (const [index, item] of listAt(body, 'input').entries()) {
    if (isToolList(item)) readTools(item['tools'], `input[${index}].tools`, offered);
  }
  return offered;
}

const textOf = ({ text }: JsonObject): JsonObject => (text == null ? {} : objectOf(text, 'text'));

function readFormat(value: unknown): ResponseFormat | undefined {
  if (value == null) return undefined;
  const format = objectOf(value, 'text.format');
  if (format['type'] === 'text') return undefined;
  if (format['type'] === 'json_object') return { type: 'json_object' };
  if (format['type'] !== 'json_schema') {
    throw new RequestProblem('text.format.type', 'text.format.type must be text, json_object or json_schema');
  }
  return {
    type: 'json_schema',
    name: requiredText(format['name'], 'text.format.name'),
    schema: objectOf(format['schema'], 'text.format.schema'),
    ...(format['strict'] === true && { isStrict: true }),
  };
}

function readExtras(body: JsonObject, serverTools: readonly string[]): ChatExtras {
  const include = body['include'] == null ? [] : listOf(body['include'], 'include');
  const verbosity = optionalText(textOf(body)['verbosity'], 'text.verbosity');
  const cacheKey = optionalText(body['prompt_cache_key'], 'prompt_cache_key');
  const isAskedForOdds = Number(body['top_logprobs'] ?? 0) > 0 || include.includes('message.output_text.logprobs');
  const openai = {
    ...(verbosity !== undefined && { verbosity }),
    ...(cacheKey !== undefined && { prompt_cache_key: cacheKey }),
  };
  return {
    ...(serverTools.length > 0 && { serverTools }),
    ...(isAskedForOdds && { wantsLogprobs: true }),
    ...(Object.keys(openai).length > 0 && { openai }),
  };
}
