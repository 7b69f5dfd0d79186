import { type ChatMessage, type SystemMessage, type ToolMessage, textOfParts } from '../chat/chat-message.ts';
import type { ContentPart } from '../chat/content-part.ts';
import { booleanOf, type JsonObject, listOf, objectOf, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { readAssistant } from './read-assistant.ts';
import { blocksOf, cacheMarkOf, partsOf, readParts, textPartsOf } from './read-content.ts';

interface Conversation {
  readonly messages: readonly ChatMessage[];
  /** Types of blocks that belong to tools run by Anthropic. */
  readonly serverBlocks: readonly string[];
}

export function readConversation({ system, messages }: JsonObject): Conversation {
  const serverBlocks: string[] = [];
  const own = system == null ? [] : readSystem(system, 'system');
  const said = listOf(messages, 'messages').flatMap((value, index) => {
    const at = `messages[${index}]`;
    const message = objectOf(value, at);
    const place = `${at}.content`;
    switch (message['role']) {
      case 'user':
        return readUser(message['content'], place);
      case 'assistant':
        return [readAssistant(blocksOf(message['content'], place), serverBlocks)];
      case 'system':
        return readSystem(message['content'], place);
      default:
        throw new RequestProblem(`${at}.role`, `${at}.role must be user, assistant or system`);
    }
  });
  return { messages: [...own, ...said], serverBlocks };
}

/** System prompt: its blocks are separate texts. */
function readSystem(content: unknown, at: string): readonly SystemMessage[] {
  const parts = textPartsOf(content, at).filter(({ text }) => text !== '' && !text.startsWith(billingNote));
  if (parts.length === 0) return [];
  return [{ role: 'system', text: parts.map(({ text }) => text).join('\n\n'), parts }];
}

/**
 * Prefix of Claude Code's billing note, which changes with every request and would break prompt caching at other
 * providers.
 */
const billingNote = 'x-anthropic-billing-header:';

/** Tool results become separate messages; content before and after them belongs to the user. */
function readUser(content: unknown, at: string): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  let said: ContentPart[] = [];
  const blocks = blocksOf(content, at);
  for (const [block, place] of blocks) {
    if (block['type'] !== 'tool_result') {
      said.push(...readParts(block, place));
      continue;
    }
    if (said.length > 0) messages.push({ role: 'user', parts: said });
    said = [];
    messages.push(readResult(block, place));
  }
  return said.length > 0 || messages.length === 0 ? [...messages, { role: 'user', parts: said }] : messages;
}

function readResult(block: JsonObject, at: string): ToolMessage {
  const parts = partsOf(block['content'] ?? '', `${at}.content`);
  return {
    role: 'tool',
    toolCallId: requiredText(block['tool_use_id'], `${at}.tool_use_id`),
    text: textOfParts(parts),
    parts,
    ...(booleanOf(block['is_error'], `${at}.is_error`) && { isError: true }),
    ...cacheMarkOf(block, at),
  };
}
