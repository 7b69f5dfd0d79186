import {
  type AssistantMessage,
  type CacheControlled,
  type ChatMessage,
  type ContentPart,
  joinTextParts,
  type SystemMessage,
  type TextPart,
  type ToolMessage,
} from '../chat/chat-message.ts';
import type { ToolCall } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import { type JsonObject, optionalBoolean, requiredText, requireList, requireObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { textAt } from '../upstream-fields.ts';
import { readBlocks, readCacheControl, readParts, readTextParts, toContentParts } from './read-content.ts';
import { readCallSignature, readRedacted, readThinking } from './reasoning-blocks.ts';

interface Conversation {
  readonly messages: readonly ChatMessage[];
  /** Types of blocks that belong to tools run by Anthropic. */
  readonly serverBlocks: readonly string[];
}

export function readConversation({ system, messages }: JsonObject): Conversation {
  const serverBlocks: string[] = [];
  const own = system == null ? [] : readSystem(system, 'system');
  const userParts = requireList(messages, 'messages').flatMap((value, index) => {
    const at = `messages[${index}]`;
    const message = requireObject(value, at);
    const path = `${at}.content`;
    switch (message['role']) {
      case 'user':
        return readUser(message['content'], path);
      case 'assistant':
        return [readAssistant(readBlocks(message['content'], path), serverBlocks)];
      case 'system':
        return readSystem(message['content'], path);
      default:
        throw new RequestProblem(`${at}.role`, `${at}.role must be user, assistant or system`);
    }
  });
  return { messages: [...own, ...userParts], serverBlocks };
}

/** System prompt: its blocks are separate texts. */
function readSystem(content: unknown, at: string): readonly SystemMessage[] {
  const parts = readTextParts(content, at).filter(({ text }) => text !== '' && !text.startsWith(billingNote));
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
  let userParts: ContentPart[] = [];
  const blocks = readBlocks(content, at);
  for (const [block, path] of blocks) {
    if (block['type'] !== 'tool_result') {
      userParts.push(...readParts(block, path));
      continue;
    }
    if (userParts.length > 0) messages.push({ role: 'user', parts: userParts });
    userParts = [];
    messages.push(readResult(block, path));
  }
  return userParts.length > 0 || messages.length === 0 ? [...messages, { role: 'user', parts: userParts }] : messages;
}

function readResult(block: JsonObject, at: string): ToolMessage {
  const parts = toContentParts(block['content'] ?? '', `${at}.content`);
  return {
    role: 'tool',
    toolCallId: requiredText(block['tool_use_id'], `${at}.tool_use_id`),
    text: joinTextParts(parts),
    parts,
    ...(optionalBoolean(block['is_error'], `${at}.is_error`) && { isError: true }),
    ...readCacheControl(block, at),
  };
}

type Placed = readonly (readonly [block: JsonObject, at: string])[];

/**
 * Reads earlier model output that the client sends back. Types of blocks of tools that Anthropic runs are added to
 * `serverBlocks`.
 */
function readAssistant(blocks: Placed, serverBlocks: string[]): AssistantMessage {
  const thoughts: ReasoningBlock[] = [];
  const parts: TextPart[] = [];
  const toolCalls: ToolCall[] = [];
  let mark: CacheControlled = {};
  for (const [index, [block, at]] of blocks.entries()) {
    switch (block['type']) {
      case 'thinking':
        // This block contains the signature of the call that follows, and is read together with it.
        if (isCall(blocks[index + 1]?.[0]) && readCallSignature(block) !== undefined) break;
        thoughts.push(readThinking(block));
        break;
      case 'redacted_thinking':
        thoughts.push(readRedacted(block));
        break;
      case 'text':
        parts.push({ type: 'text', text: requiredText(block['text'], `${at}.text`), ...readCacheControl(block, at) });
        break;
      case 'tool_use':
        toolCalls.push(readCall(block, at, blocks[index - 1]?.[0]));
        mark = readCacheControl(block, at);
        break;
      default:
        serverBlocks.push(serverKind(block, at));
    }
  }
  return { role: 'assistant', text: joinTextParts(parts), parts, thoughts, toolCalls, ...mark };
}

const isCall = (block: JsonObject | undefined): boolean => block?.['type'] === 'tool_use';

function readCall(block: JsonObject, at: string, before: JsonObject | undefined): ToolCall {
  const thoughtSignature = before && readCallSignature(before);
  return {
    id: requiredText(block['id'], `${at}.id`),
    name: requiredText(block['name'], `${at}.name`),
    arguments: JSON.stringify(block['input'] == null ? {} : requireObject(block['input'], `${at}.input`)),
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  };
}

/** Type of a block that belongs to a tool run by Anthropic: `server_tool_use`, `mcp_tool_use` and their results. */
function serverKind(block: JsonObject, at: string): string {
  const kind = textAt(block, 'type');
  if (kind.endsWith('_tool_use') || kind.endsWith('_tool_result')) return kind;
  throw new RequestProblem(`${at}.type`, `${at}.type is not supported by the channel's provider`);
}
