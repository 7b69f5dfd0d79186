import { type ChatMessage, type ContentPart, joinedReasoning, RequestProblem } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Writes a message; Cohere's format equals OpenAI's except for the plan before tool calls. */
export function encodeMessage(message: ChatMessage): JsonObject {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: encodeParts(message.parts) };
    case 'assistant': {
      const { text, thoughts, toolCalls } = message;
      const plan = joinedReasoning(thoughts);
      if (toolCalls.length === 0) return { role: 'assistant', content: text };
      return {
        role: 'assistant',
        ...(text !== '' && { content: text }),
        ...(plan !== '' && { tool_plan: plan }),
        tool_calls: toolCalls.map(({ id, name, arguments: json }) => ({
          id,
          type: 'function',
          function: { name, arguments: json },
        })),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.text };
  }
}

function encodeParts(parts: readonly ContentPart[]): string | readonly JsonObject[] {
  const [only] = parts;
  if (only === undefined) return '';
  return parts.length === 1 && only.type === 'text' ? only.text : parts.map(encodePart);
}

function encodePart(part: ContentPart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type !== 'image')
    throw new RequestProblem(part.type, `The channel's provider does not support ${part.type}`);
  const { image } = part;
  const url = 'url' in image ? image.url : `data:${image.mediaType};base64,${image.data}`;
  return { type: 'image_url', image_url: { url } };
}
