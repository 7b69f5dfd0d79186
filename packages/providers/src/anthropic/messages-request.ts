import { type ChatField, type ChatMessage, type ChatRequest, isObject, type SystemMessage } from '@headgate/dialects';
import type { JsonObject, ParameterRanges, UnsupportedFormats } from '../provider.ts';
import {
  applyCacheControl,
  hasCacheControl,
  mergeTurns,
  messageBlocks,
  type NonSystemMessage,
  systemTexts,
  toClaudeBlocks,
} from './blocks.ts';
import { acceptsInlineSystem, supportsStrictTools, thinkingSettings, usesThinkingBudget } from './thinking.ts';

/** Fields that Claude's Messages API supports on every host. */
export const messagesFields: readonly ChatField[] = [
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'user',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'image_url',
  'file',
];

export const messagesParameterRanges: ParameterRanges = { temperature: [0, 1] };

/** Claude has structured outputs, but no plain JSON mode. */
export const messagesUnsupportedFormats: UnsupportedFormats = { json_object: /^/ };

export const messagesReasoning = (request: ChatRequest, model: string): JsonObject => ({
  thinking: thinkingSettings(request, model).thinking,
});

/** Differences between hosts of Claude. */
interface House {
  /** True if system messages may stay in place, for models that support it. */
  readonly takesSystemInside?: boolean;
}

/** Body of a message request without model and stream, which each host sets differently. */
export function messagesBody(request: ChatRequest, model: string, house: House = {}): JsonObject {
  const { maxTokens, thinking, effort } = thinkingSettings(request, model);
  const isInside = house.takesSystemInside === true && acceptsInlineSystem(model);
  const keepsThoughts = thinking ? thinking['type'] !== 'disabled' : !usesThinkingBudget(model);
  const outputConfig = { ...(effort !== undefined && { effort }), ...outputFormat(request) };
  const { system, messages } = conversationOf(request.messages, isInside, (message) =>
    applyCacheControl(toClaudeBlocks(message, keepsThoughts), message),
  );
  return {
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages,
    ...toolFields(request, supportsStrictTools(model)),
    ...samplingFields(request),
    ...(thinking !== undefined && { thinking }),
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
    ...(request.user !== undefined && { metadata: { user_id: request.user } }),
  };
}

function samplingFields({ stop, temperature, topP, topK }: ChatRequest): JsonObject {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && topP !== 1 && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    ...(stop.length > 0 && { stop_sequences: stop }),
  };
}

function outputFormat({ responseFormat }: ChatRequest): JsonObject {
  if (responseFormat?.type !== 'json_schema') return {};
  return { format: { type: 'json_schema', schema: disallowAdditionalProperties(responseFormat.schema) } };
}

function toolFields({ tools, toolChoice, parallelToolCalls }: ChatRequest, supportsStrictTools: boolean): JsonObject {
  if (tools.length === 0) return {};
  const isSingle = parallelToolCalls === false && toolChoice !== 'none';
  return {
    tools: tools.map(({ name, description, parameters, isStrict, cacheControl }) => ({
      name,
      ...(description !== undefined && { description }),
      ...(isStrict && supportsStrictTools
        ? { input_schema: disallowAdditionalProperties({ type: 'object', ...parameters }), strict: true }
        : { input_schema: { type: 'object', ...parameters } }),
      ...(cacheControl && { cache_control: cacheControl }),
    })),
    ...((toolChoice !== undefined || isSingle) && {
      tool_choice: { ...choiceOf(toolChoice ?? 'auto'), ...(isSingle && { disable_parallel_tool_use: true }) },
    }),
  };
}

function choiceOf(choice: NonNullable<ChatRequest['toolChoice']>): JsonObject {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

interface Conversation {
  /** Empty without a system prompt. */
  readonly system: string | readonly JsonObject[];
  readonly messages: readonly unknown[];
}

/**
 * Moves system messages to the start, unless they may stay in place, which keeps the prompt cache of earlier turns
 * valid.
 */
function conversationOf(
  messages: readonly ChatMessage[],
  isInside: boolean,
  toClaudeBlocks: (message: NonSystemMessage) => readonly JsonObject[],
): Conversation {
  const staying = new Set(isInside ? messages.filter(mayStay) : []);
  const turns: unknown[] = [];
  let run: ChatMessage[] = [];
  for (const message of messages) {
    if (!staying.has(message)) {
      run.push(message);
      continue;
    }
    turns.push(...mergeTurns(run, toClaudeBlocks), { role: 'system', content: systemOf([message]) });
    run = [];
  }
  turns.push(...mergeTurns(run, toClaudeBlocks));
  return { system: systemOf(messages.filter((message) => !staying.has(message))), messages: turns };
}

/** True if a system message may stay in place: Claude accepts it only at the end of a user turn. */
function mayStay(message: ChatMessage, index: number, messages: readonly ChatMessage[]): boolean {
  const before = messages[index - 1]?.role;
  const after = messages[index + 1]?.role;
  const isBehindUser = before === 'user' || before === 'tool';
  return message.role === 'system' && message.text !== '' && isBehindUser && (!after || after === 'assistant');
}

/** The system prompt as one text, or as parts if any has a cache marker. */
function systemOf(messages: readonly ChatMessage[]): Conversation['system'] {
  const instructions = messages.filter((message): message is SystemMessage => message.role === 'system');
  const isMarked = instructions.some(({ cacheControl, parts }) => cacheControl || hasCacheControl(parts));
  if (!isMarked) return systemTexts(instructions).join('\n\n');
  return instructions.flatMap((message) => applyCacheControl(messageBlocks(message), message));
}

/**
 * Adds `additionalProperties: false` to every object of a schema: Claude requires it, but OpenAI clients may omit it.
 */
export function disallowAdditionalProperties(schema: JsonObject): JsonObject {
  const closed = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closedIn(name, value)]));
  return schema['type'] === 'object' && !('additionalProperties' in schema)
    ? { ...closed, additionalProperties: false }
    : closed;
}

/** Closes the schemas in a keyword's value; defaults and examples are data and stay unchanged. */
function closedIn(keyword: string, value: unknown): unknown {
  if (namedSchemas.has(keyword) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, closedOr(schema)]));
  }
  if (!plainSchemas.has(keyword)) return value;
  return Array.isArray(value) ? value.map(closedOr) : closedOr(value);
}

const closedOr = (schema: unknown) => (isObject(schema) ? disallowAdditionalProperties(schema) : schema);

const namedSchemas = new Set(['properties', '$defs', 'definitions']);
const plainSchemas = new Set(['items', 'anyOf', 'allOf', 'oneOf']);
