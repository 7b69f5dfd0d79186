import { isObject, type JsonObject, listAt, readTaggedSignature, textAt } from '@headgate/dialects';
import type { PassThrough, ResponseDecoder } from '../provider.ts';
import { keyHeaders } from './chat.ts';
import { decodeMessage, readMessagesProblem } from './messages-response.ts';
import { MessagesDecoder } from './messages-stream.ts';
import { acceptsInlineSystem } from './thinking.ts';

/**
 * Removes unsigned reasoning and other vendors' reasoning from turns served by another channel, because Anthropic
 * rejects both. Returns the same body if there is none.
 */
export function withoutForeignReasoning(body: JsonObject): JsonObject {
  const messages = listAt(body, 'messages');
  if (!messages.some((message) => listAt(message, 'content').some(isOfOthers))) return {};
  return { messages: messages.flatMap(withOwnReasoning) };
}

/**
 * Returns `thinking` if the turn's reasoning is missing or from another vendor, because Anthropic would reject the
 * turn.
 */
export function rejectedThinking(body: JsonObject): readonly string[] {
  const isEnabled = isObject(body['thinking']) && body['thinking']['type'] === 'enabled';
  return isEnabled && continuesWithoutReasoning(listAt(body, 'messages').flatMap(withOwnReasoning)) ? ['thinking'] : [];
}

/**
 * Removes reasoning of other vendors; a message that becomes empty is removed too, because Anthropic would reject it.
 */
function withOwnReasoning(message: unknown): readonly unknown[] {
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

/** True if the turn continues after a tool result without signed reasoning, so that thinking must be off. */
function continuesWithoutReasoning(messages: readonly unknown[]): boolean {
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

/** Moves inline system messages to the start, for models that do not accept them in place. */
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

/** Reads Claude's responses in its native format. */
export const messagesDecoder: ResponseDecoder = {
  decode: decodeMessage,
  stream: { framing: 'sse', open: () => new MessagesDecoder() },
};

/** Anthropic's native dialect, passed through unchanged, because caching and signatures depend on every byte. */
export const messages: PassThrough = {
  kind: 'pass',
  send: (upstream) => ({
    url: `${upstream.baseUrl}/v1/messages${upstream.query === undefined ? '' : `?${upstream.query}`}`,
    headers: keyHeaders(upstream),
  }),
  drops: rejectedThinking,
  patch: (body, { model, requestedModel }) => {
    const own = withoutForeignReasoning(body);
    // A client checks whether its requested model accepts inline system messages, but cannot check a mapped model.
    const staysInside = model === requestedModel || acceptsInlineSystem(model);
    return staysInside ? own : { ...own, ...withoutInlineSystem({ ...body, ...own }) };
  },
  watch: messagesDecoder,
  readProblem: readMessagesProblem,
};
