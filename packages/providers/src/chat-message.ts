import type { ToolCall } from './chat-answer.ts';
import { type ContentPart, type Marked, markOf, partsOf, type TextPart, textPartsOf } from './content-part.ts';
import { listOf, objectOf, requiredText, textOrNone } from './json-fields.ts';
import { RequestProblem } from './problems.ts';
import { objectAt, textAt } from './upstream-fields.ts';

export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** From `system` and `developer` alike. */
export interface SystemMessage extends Spoken {
  readonly role: 'system';
}

export interface UserMessage extends Marked {
  readonly role: 'user';
  readonly parts: readonly ContentPart[];
}

export interface AssistantMessage extends Spoken {
  readonly role: 'assistant';
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
}

export interface ToolMessage extends Spoken {
  readonly role: 'tool';
  readonly toolCallId: string;
}

/** A message that may only hold text; a mark on the message itself is about its end. */
interface Spoken extends Marked {
  /** All parts put together. */
  readonly text: string;
  readonly parts: readonly TextPart[];
}

export function readMessage(value: unknown, index: number): ChatMessage {
  const at = `messages[${index}]`;
  const message = objectOf(value, at);
  const mark = markOf(message, at);
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', ...spoken(message['content'], at), ...mark };
    case 'user':
      return { role: 'user', parts: partsOf(message['content'], `${at}.content`), ...mark };
    case 'assistant':
      return {
        role: 'assistant',
        ...spoken(message['content'] ?? '', at),
        ...mark,
        reasoning: typeof message['reasoning_content'] === 'string' ? message['reasoning_content'] : '',
        toolCalls:
          message['tool_calls'] == null
            ? []
            : listOf(message['tool_calls'], `${at}.tool_calls`).map((call, number) =>
                readToolCall(call, `${at}.tool_calls[${number}]`),
              ),
      };
    case 'tool':
      return {
        role: 'tool',
        toolCallId: requiredText(message['tool_call_id'], `${at}.tool_call_id`),
        ...spoken(message['content'] ?? '', at),
        ...mark,
      };
    default:
      throw new RequestProblem(`${at}.role`, `${at}.role must be system, developer, user, assistant or tool`);
  }
}

function spoken(content: unknown, at: string): Pick<Spoken, 'text' | 'parts'> {
  const parts = textPartsOf(content, `${at}.content`);
  return { text: parts.map(({ text }) => text).join(''), parts };
}

function readToolCall(value: unknown, at: string): ToolCall {
  const call = objectOf(value, at);
  const called = objectOf(call['function'], `${at}.function`);
  // Where Google itself puts it when it speaks OpenAI's dialect.
  const signature = textAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature');
  return {
    id: requiredText(call['id'], `${at}.id`),
    name: requiredText(called['name'], `${at}.function.name`),
    arguments: textOrNone(called['arguments'], `${at}.function.arguments`) || '{}',
    ...(signature !== '' && { thoughtSignature: signature }),
  };
}
