import type { ChatField, ChatRequest } from '@headgate/dialects';
import type { JsonObject, Ranges, UnsupportedFormats } from '../provider.ts';
import { blocksOf } from './blocks.ts';
import { withCacheMark } from './cache-marks.ts';
import { closeSchema } from './closed-schema.ts';
import { conversationOf } from './conversation.ts';
import { thinkingFor } from './thinking.ts';
import { acceptsInlineSystem, canBeStrict, hasFixedBudget } from './version.ts';

/** Fields that Claude's messages support on every host. */
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

export const messagesRanges: Ranges = { temperature: [0, 1] };

/** Claude has structured outputs, but no plain JSON mode. */
export const messagesUnsupportedFormats: UnsupportedFormats = { json_object: /^/ };

export const messagesReasoning = (request: ChatRequest, model: string): JsonObject => ({
  thinking: thinkingFor(request, model).thinking,
});

/** Differences between the hosts of Claude. */
interface House {
  /** True when system messages may stay in place, for models that support it. */
  readonly takesSystemInside?: boolean;
}

/** Body of a message request without model and stream, which each host sets differently. */
export function messagesBody(request: ChatRequest, model: string, house: House = {}): JsonObject {
  const { maxTokens, thinking, effort } = thinkingFor(request, model);
  const isInside = house.takesSystemInside === true && acceptsInlineSystem(model);
  const keepsThoughts = thinking ? thinking['type'] !== 'disabled' : !hasFixedBudget(model);
  const outputConfig = { ...(effort !== undefined && { effort }), ...outputFormat(request) };
  const { system, messages } = conversationOf(request.messages, isInside, (message) =>
    withCacheMark(blocksOf(message, keepsThoughts), message),
  );
  return {
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages,
    ...toolFields(request, canBeStrict(model)),
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
  return { format: { type: 'json_schema', schema: closeSchema(responseFormat.schema) } };
}

function toolFields({ tools, toolChoice, parallelToolCalls }: ChatRequest, canBeStrict: boolean): JsonObject {
  if (tools.length === 0) return {};
  const isSingle = parallelToolCalls === false && toolChoice !== 'none';
  return {
    tools: tools.map(({ name, description, parameters, isStrict, cacheControl }) => ({
      name,
      ...(description !== undefined && { description }),
      ...(isStrict && canBeStrict
        ? { input_schema: closeSchema({ type: 'object', ...parameters }), strict: true }
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
