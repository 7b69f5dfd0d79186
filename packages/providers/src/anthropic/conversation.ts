import type { ChatMessage, SystemMessage } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';
import { messageBlocks } from './blocks.ts';
import { hasCacheMarks, withCacheMark } from './cache-marks.ts';
import { mergeTurns, type NonSystemMessage, systemTexts } from './turns.ts';

interface Conversation {
  /** Empty without a system prompt. */
  readonly system: string | readonly JsonObject[];
  readonly messages: readonly unknown[];
}

/**
 * Moves system messages to the start, unless they may stay in place, which keeps the prompt cache of earlier turns
 * valid.
 */
export function conversationOf(
  messages: readonly ChatMessage[],
  isInside: boolean,
  blocksOf: (message: NonSystemMessage) => readonly JsonObject[],
): Conversation {
  const staying = new Set(isInside ? messages.filter(mayStay) : []);
  const turns: unknown[] = [];
  let run: ChatMessage[] = [];
  for (const message of messages) {
    if (!staying.has(message)) {
      run.push(message);
      continue;
    }
    turns.push(...mergeTurns(run, blocksOf), { role: 'system', content: systemOf([message]) });
    run = [];
  }
  turns.push(...mergeTurns(run, blocksOf));
  return { system: systemOf(messages.filter((message) => !staying.has(message))), messages: turns };
}

/** Whether a system message may stay in place: Claude accepts it only at the end of a user turn. */
function mayStay(message: ChatMessage, index: number, messages: readonly ChatMessage[]): boolean {
  const before = messages[index - 1]?.role;
  const after = messages[index + 1]?.role;
  const isBehindUser = before === 'user' || before === 'tool';
  return message.role === 'system' && message.text !== '' && isBehindUser && (!after || after === 'assistant');
}

/** The system prompt as one text, or as parts if one has a cache mark. */
function systemOf(messages: readonly ChatMessage[]): Conversation['system'] {
  const instructions = messages.filter((message): message is SystemMessage => message.role === 'system');
  const isMarked = instructions.some(({ cacheControl, parts }) => cacheControl || hasCacheMarks(parts));
  if (!isMarked) return systemTexts(instructions).join('\n\n');
  return instructions.flatMap((message) => withCacheMark(messageBlocks(message), message));
}
