import {
  type AssistantMessage,
  type ChatField,
  type ChatRequest,
  type ContentPart,
  isObject,
  RequestProblem,
  type ToolCall,
} from '@headgate/dialects';
import type { JsonObject, Ranges } from '../provider.ts';
import { hasMarks, lastMark, marked } from './cache-marks.ts';
import { closedSchema } from './closed-schema.ts';
import { documentBlock } from './document.ts';
import { thinkingFor } from './thinking.ts';
import { type SpokenMessage, systemTexts, turnsOf } from './turns.ts';

/** What Claude's messages carry over, whoever serves them. */
export const messagesTakes: readonly ChatField[] = [
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

/** The body of a message request, without the model and the wish to stream: those are told differently by each house. */
export function messagesBody(request: ChatRequest, model: string): JsonObject {
  const system = systemOf(request);
  const { maxTokens, thinking, effort } = thinkingFor(request, model);
  const outputConfig = { ...(effort !== undefined && { effort }), ...outputFormat(request) };
  return {
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages: turnsOf(request.messages, (message) => marked(blocksOf(message), message)),
    ...toolFields(request),
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
  if (responseFormat === undefined) return {};
  if (responseFormat.type === 'json_object') {
    throw new RequestProblem('response_format', 'Claude takes response_format only as json_schema');
  }
  return { format: { type: 'json_schema', schema: closedSchema(responseFormat.schema) } };
}

function toolFields({ tools, toolChoice, parallelToolCalls }: ChatRequest): JsonObject {
  if (tools.length === 0) return {};
  const isSingle = parallelToolCalls === false && toolChoice !== 'none';
  return {
    tools: tools.map(({ name, description, parameters, cacheControl }) => ({
      name,
      ...(description !== undefined && { description }),
      input_schema: { type: 'object', ...parameters },
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

/** One text, unless a part of it is marked: then what was said stays in its parts. */
function systemOf({ messages }: ChatRequest): string | readonly JsonObject[] {
  const isMarked = messages.some(
    (message) => message.role === 'system' && (message.cacheControl || hasMarks(message.parts)),
  );
  if (!isMarked) return systemTexts(messages).join('\n\n');
  return messages.flatMap((message) => (message.role === 'system' ? marked(spokenBlocks(message), message) : []));
}

function blocksOf(message: SpokenMessage): readonly JsonObject[] {
  switch (message.role) {
    case 'user':
      return message.parts.flatMap((part) => marked(partBlocks(part), part));
    case 'tool':
      return marked(
        [{ type: 'tool_result', tool_use_id: safeId(message.toolCallId), content: message.text }],
        lastMark(message.parts),
      );
    case 'assistant':
      return [...spokenBlocks(message), ...message.toolCalls.map(toolUseBlock)];
  }
}

const spokenBlocks = ({ text, parts }: Spoken): readonly JsonObject[] =>
  hasMarks(parts) ? parts.flatMap((part) => marked(textBlocks(part.text), part)) : textBlocks(text);

function partBlocks(part: ContentPart): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text);
    case 'image': {
      const { image } = part;
      const source =
        'url' in image
          ? { type: 'url', url: image.url }
          : { type: 'base64', media_type: image.mediaType, data: image.data };
      return [{ type: 'image', source }];
    }
    case 'file':
      return [documentBlock(part.name, part.data)];
    case 'audio':
      throw new RequestProblem('input_audio', 'Claude does not take input_audio');
  }
}

/** An empty text block is refused upstream. */
const textBlocks = (text: string): JsonObject[] => (text === '' ? [] : [{ type: 'text', text }]);

const toolUseBlock = (call: ToolCall): JsonObject => ({
  type: 'tool_use',
  id: safeId(call.id),
  name: call.name,
  input: argumentsOf(call),
});

/** Other providers' ids may hold what Claude refuses, when a conversation changes channels. */
const safeId = (id: string) => id.replace(/[^a-zA-Z0-9_-]/g, '_');

/** The arguments of an earlier call, as the object they must be. */
export function argumentsOf(call: ToolCall): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(call.arguments);
  } catch {
    parsed = undefined;
  }
  if (isObject(parsed)) return parsed;
  throw new RequestProblem('messages', `The arguments of the tool call ${call.id} must be a JSON object`);
}

type Spoken = Pick<AssistantMessage, 'text' | 'parts'>;
