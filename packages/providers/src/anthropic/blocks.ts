import {
  type AssistantMessage,
  type ContentPart,
  parseJsonObject,
  RequestProblem,
  requestBounds,
  type ToolCall,
  type ToolMessage,
} from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';
import { hasCacheMarks, lastCacheMark, withCacheMark } from './cache-marks.ts';
import { documentBlock } from './document.ts';
import { reasoningBlocks } from './reasoning-blocks.ts';
import type { NonSystemMessage } from './turns.ts';

/** Writes a message as Claude's blocks. */
export function blocksOf(message: NonSystemMessage, keepsThoughts: boolean): readonly JsonObject[] {
  switch (message.role) {
    case 'user':
      return message.parts.flatMap((part) => withCacheMark(partBlocks(part), part));
    case 'tool':
      return withCacheMark([resultBlock(message)], lastCacheMark(message.parts));
    case 'assistant':
      return [
        ...(keepsThoughts ? reasoningBlocks(message.thoughts) : []),
        ...messageBlocks(message),
        ...message.toolCalls.map(toolUseBlock),
      ];
  }
}

/** A tool result as plain text, unless it has other content. */
const resultBlock = ({ toolCallId, text, parts, isError }: ToolMessage): JsonObject => ({
  type: 'tool_result',
  tool_use_id: safeId(toolCallId),
  content: parts.every(({ type }) => type === 'text') ? text : parts.flatMap(partBlocks),
  ...(isError && { is_error: true }),
});

export const messageBlocks = ({ text, parts }: Spoken): readonly JsonObject[] =>
  hasCacheMarks(parts) ? parts.flatMap((part) => withCacheMark(textBlocks(part.text), part)) : textBlocks(text);

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
      throw new RequestProblem('input_audio', 'Claude does not support input_audio');
  }
}

/** Anthropic rejects empty text blocks. */
const textBlocks = (text: string): JsonObject[] => (text === '' ? [] : [{ type: 'text', text }]);

const toolUseBlock = (call: ToolCall): JsonObject => ({
  type: 'tool_use',
  id: safeId(call.id),
  name: call.name,
  input: argumentsOf(call),
});

/**
 * Replaces characters that Claude rejects in an id; ids of other providers may contain them when a conversation
 * changes channels.
 */
const safeId = (id: string) => id.replace(/[^a-zA-Z0-9_-]/g, '_');

/** Arguments of an earlier call, which must be an object. */
export function argumentsOf(call: ToolCall): JsonObject {
  const parsed = parseJsonObject(call.arguments, requestBounds);
  if (parsed) return parsed;
  throw new RequestProblem('messages', `The arguments of the tool call ${call.id} must be a JSON object`);
}

type Spoken = Pick<AssistantMessage, 'text' | 'parts'>;
