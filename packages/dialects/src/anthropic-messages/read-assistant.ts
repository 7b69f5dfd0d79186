import { type AssistantMessage, textOfParts } from '../chat/chat-message.ts';
import type { ToolCall } from '../chat/chat-response.ts';
import type { CacheMarked, TextPart } from '../chat/content-part.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import { type JsonObject, objectOf, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { textAt } from '../upstream-fields.ts';
import { cacheMarkOf } from './read-content.ts';
import { callSignatureIn, readRedacted, readThinking } from './reasoning-blocks.ts';

type Placed = readonly (readonly [block: JsonObject, at: string])[];

/**
 * Reads earlier model output that the client sends back. Types of blocks of tools that Anthropic runs are added to
 * `serverBlocks`.
 */
export function readAssistant(blocks: Placed, serverBlocks: string[]): AssistantMessage {
  const thoughts: ReasoningBlock[] = [];
  const parts: TextPart[] = [];
  const toolCalls: ToolCall[] = [];
  let mark: CacheMarked = {};
  for (const [index, [block, at]] of blocks.entries()) {
    switch (block['type']) {
      case 'thinking':
        // This block contains the signature of the following call and is read with that call.
        if (isCall(blocks[index + 1]?.[0]) && callSignatureIn(block) !== undefined) break;
        thoughts.push(readThinking(block));
        break;
      case 'redacted_thinking':
        thoughts.push(readRedacted(block));
        break;
      case 'text':
        parts.push({ type: 'text', text: requiredText(block['text'], `${at}.text`), ...cacheMarkOf(block, at) });
        break;
      case 'tool_use':
        toolCalls.push(readCall(block, at, blocks[index - 1]?.[0]));
        mark = cacheMarkOf(block, at);
        break;
      default:
        serverBlocks.push(serverKind(block, at));
    }
  }
  return { role: 'assistant', text: textOfParts(parts), parts, thoughts, toolCalls, ...mark };
}

const isCall = (block: JsonObject | undefined): boolean => block?.['type'] === 'tool_use';

function readCall(block: JsonObject, at: string, before: JsonObject | undefined): ToolCall {
  const thoughtSignature = before && callSignatureIn(before);
  return {
    id: requiredText(block['id'], `${at}.id`),
    name: requiredText(block['name'], `${at}.name`),
    arguments: JSON.stringify(block['input'] == null ? {} : objectOf(block['input'], `${at}.input`)),
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  };
}

/** Type of a block that belongs to a tool run by Anthropic: `server_tool_use`, `mcp_tool_use` and their results. */
function serverKind(block: JsonObject, at: string): string {
  const kind = textAt(block, 'type');
  if (kind.endsWith('_tool_use') || kind.endsWith('_tool_result')) return kind;
  throw new RequestProblem(`${at}.type`, `${at}.type is not supported by the channel's provider`);
}
