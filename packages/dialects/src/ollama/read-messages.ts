import { CallIds } from '../call-ids.ts';
import type { AssistantMessage, ChatMessage, ToolMessage } from '../chat/chat-message.ts';
import type { ToolCall } from '../chat/chat-response.ts';
import type { TextPart } from '../chat/content-part.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import { type JsonObject, listOf, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { readReasoningDetails } from '../reasoning-details.ts';
import { objectAt, textAt } from '../upstream-fields.ts';
import { readImages } from './images.ts';

export function readMessages(messages: unknown): readonly ChatMessage[] {
  const calls = new CallIds();
  return listOf(messages, 'messages').map((message, index) => {
    const at = `messages[${index}]`;
    return readMessage(objectOf(message, at), at, calls);
  });
}

function readMessage(message: JsonObject, at: string, calls: CallIds): ChatMessage {
  const text = optionalText(message['content'], `${at}.content`) ?? '';
  const parts: readonly TextPart[] = text === '' ? [] : [{ type: 'text', text }];
  switch (message['role']) {
    case 'system':
      return { role: 'system', text, parts };
    case 'user':
      return { role: 'user', parts: [...parts, ...readImages(message['images'], `${at}.images`)] };
    case 'assistant':
      return { role: 'assistant', text, parts, ...readTurn(message, at, calls) };
    case 'tool':
      return { role: 'tool', text, ...readResult(message, at, calls), parts };
    default:
      throw new RequestProblem(`${at}.role`, `${at}.role must be system, user, assistant or tool`);
  }
}

function readTurn(message: JsonObject, at: string, calls: CallIds): Pick<AssistantMessage, 'thoughts' | 'toolCalls'> {
  calls.beginStep();
  const given = message['tool_calls'] == null ? [] : listOf(message['tool_calls'], `${at}.tool_calls`);
  const toolCalls = given.map((call, index) => readCall(call, `${at}.tool_calls[${index}]`));
  for (const { id, name } of toolCalls) calls.add(id, name);
  return { thoughts: thoughtsOf(message), toolCalls };
}

/** Reasoning with signatures if the client sends them back, otherwise text only. */
function thoughtsOf(message: JsonObject): readonly ReasoningBlock[] {
  const sealed = readReasoningDetails(message);
  const text = textAt(message, 'thinking');
  return sealed.length > 0 || text === '' ? sealed : [{ text }];
}

/** A call without an id gets one by position, the same in every turn. */
function readCall(value: unknown, at: string): ToolCall {
  const call = objectOf(value, at);
  const called = objectOf(call['function'], `${at}.function`);
  const signature = textAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature');
  return {
    id: optionalText(call['id'], `${at}.id`) || `call_${at.replaceAll(/\D+/g, '_').replaceAll(/^_|_$/g, '')}`,
    name: requiredText(called['name'], `${at}.function.name`),
    arguments: JSON.stringify(
      called['arguments'] == null ? {} : objectOf(called['arguments'], `${at}.function.arguments`),
    ),
    ...(signature !== '' && { thoughtSignature: signature }),
  };
}

function readResult(message: JsonObject, at: string, calls: CallIds): Pick<ToolMessage, 'toolCallId'> {
  const id = optionalText(message['tool_call_id'], `${at}.tool_call_id`);
  const name = optionalText(message['tool_name'] ?? message['name'], `${at}.tool_name`) ?? '';
  const toolCallId = calls.answer(id, name);
  if (toolCallId === undefined)
    throw new RequestProblem(`${at}.tool_name`, `${at}.tool_name must match an earlier tool call`);
  return { toolCallId };
}
