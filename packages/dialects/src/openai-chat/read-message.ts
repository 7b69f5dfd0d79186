import { type ChatMessage, textOfParts } from '../chat/chat-message.ts';
import type { ToolCall } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import { type JsonObject, listOf, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { readReasoningDetails } from '../reasoning-details.ts';
import { objectAt, textAt } from '../upstream-fields.ts';
import { cacheMarkOf, partsOf, textPartsOf } from './read-content.ts';

export function readMessage(value: unknown, index: number): ChatMessage {
  const at = `messages[${index}]`;
  const message = objectOf(value, at);
  const mark = cacheMarkOf(message, at);
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
            : listOf(message['tool_calls'], `${at}.tool_calls`).map((call, number) =>
                readToolCall(call, `${at}.tool_calls[${number}]`),
              ),
      };
    case 'tool': {
      const parts = partsOf(message['content'] ?? '', `${at}.content`);
      const toolCallId = requiredText(message['tool_call_id'], `${at}.tool_call_id`);
      return { role: 'tool', toolCallId, text: textOfParts(parts), parts, ...mark };
    }
    default:
      throw new RequestProblem(`${at}.role`, `${at}.role must be system, developer, user, assistant or tool`);
  }
}

function textContent(content: unknown, at: string) {
  const parts = textPartsOf(content, `${at}.content`);
  return { text: textOfParts(parts), parts };
}

/** Reasoning with signatures if the client sent them back, otherwise text only. */
function thoughtsOf(message: JsonObject): readonly ReasoningBlock[] {
  const sealed = readReasoningDetails(message);
  if (sealed.length > 0) return sealed;
  const text = textAt(message, 'reasoning_content');
  return text === '' ? [] : [{ text }];
}

function readToolCall(value: unknown, at: string): ToolCall {
  const call = objectOf(value, at);
  const called = objectOf(call['function'], `${at}.function`);
  // Google's OpenAI-compatible API uses this field.
  const signature = textAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature');
  return {
    id: requiredText(call['id'], `${at}.id`),
    name: requiredText(called['name'], `${at}.function.name`),
    arguments: optionalText(called['arguments'], `${at}.function.arguments`) || '{}',
    ...(signature !== '' && { thoughtSignature: signature }),
  };
}
