import { isObject, type JsonObject, listAt, readTaggedSignature, textAt } from '@headgate/dialects';

/**
 * Removes unsigned reasoning and that of other makers, from turns served by another channel: Anthropic rejects both.
 * Changes nothing when there is none.
 */
export function withoutForeignReasoning(body: JsonObject): JsonObject {
  const messages = listAt(body, 'messages');
  if (!messages.some((message) => listAt(message, 'content').some(isOfOthers))) return {};
  return { messages: messages.flatMap(withOwnThoughts) };
}

/** `thinking`, in a turn whose reasoning is missing or of another maker: Anthropic would reject the turn. */
export function unusableThinking(body: JsonObject): readonly string[] {
  const isEnabled = isObject(body['thinking']) && body['thinking']['type'] === 'enabled';
  return isEnabled && goesOnUnsealed(listAt(body, 'messages').flatMap(withOwnThoughts)) ? ['thinking'] : [];
}

/** A message that becomes empty is removed, because Anthropic would reject it. */
function withOwnThoughts(message: unknown): readonly unknown[] {
  if (!isObject(message) || !Array.isArray(message['content'])) return [message];
  const content = message['content'].filter((block) => !isOfOthers(block));
  if (content.length === message['content'].length) return [message];
  return content.length === 0 ? [] : [{ ...message, content }];
}

function isOfOthers(block: unknown): boolean {
  if (!isObject(block) || (block['type'] !== 'thinking' && block['type'] !== 'redacted_thinking')) return false;
  const seal = textAt(block, block['type'] === 'thinking' ? 'signature' : 'data');
  return seal === '' || readTaggedSignature(seal, 'anthropic').maker !== 'anthropic';
}

/** A turn that continues after a tool result cannot think if it did not start with reasoning. */
function goesOnUnsealed(messages: readonly unknown[]): boolean {
  const last = messages.findLast((message) => textAt(message, 'role') === 'user');
  if (!holds(last, 'tool_result')) return false;
  const begin = messages.findLastIndex(
    (message) => textAt(message, 'role') === 'user' && !holds(message, 'tool_result'),
  );
  return !messages
    .slice(begin + 1)
    .some((message) => holds(message, 'thinking') || holds(message, 'redacted_thinking'));
}

const holds = (message: unknown, type: string): boolean =>
  listAt(message, 'content').some((block) => isObject(block) && block['type'] === type);

/** Moves inline system messages to the start, where they are not supported in place. */
export function withoutInlineSystem(body: JsonObject): JsonObject {
  const messages = listAt(body, 'messages');
  const inside = messages.filter(isSystem);
  if (inside.length === 0) return {};
  const system = [body['system'], ...inside.map((message) => message['content'])].flatMap(textBlocks);
  return { system, messages: messages.filter((message) => !isSystem(message)) };
}

const isSystem = (message: unknown): message is JsonObject => textAt(message, 'role') === 'system';

function textBlocks(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly unknown[]) : [];
}
