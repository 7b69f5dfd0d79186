import {
  type AssistantMessage,
  type ChatMessage,
  type ContentPart,
  joinedReasoning,
  parseJsonObject,
  RequestProblem,
  requestBounds,
} from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Writes Ollama's messages: text as one string, images in a separate field, results by tool name. */
export function encodeMessages(messages: readonly ChatMessage[]): readonly JsonObject[] {
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
  const thinking = joinedReasoning(thoughts);
  return {
    role: 'assistant',
    content: text,
    ...(thinking !== '' && { thinking }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ name, arguments: json }, number) => ({
        function: {
          name,
          arguments: argumentsOf(json, `messages[${index}].tool_calls[${number}].function.arguments`),
        },
      })),
    }),
  };
}

function argumentsOf(json: string, at: string): JsonObject {
  const value = parseJsonObject(json, requestBounds);
  if (value) return value;
  throw new RequestProblem(at, `${at} must be a JSON object`);
}
