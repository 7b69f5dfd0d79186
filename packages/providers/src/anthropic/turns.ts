import type { ChatMessage, SystemMessage } from '@headgate/dialects';

export type NonSystemMessage = Exclude<ChatMessage, SystemMessage>;

export interface Turn<Block> {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/**
 * Merges neighboring messages of the same role: results of parallel calls must be in one turn, together with the
 * user's text.
 */
export function mergeTurns<Block>(
  messages: readonly ChatMessage[],
  blocksOf: (message: NonSystemMessage) => readonly Block[],
): readonly Turn<Block>[] {
  const turns: Turn<Block>[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const content = blocksOf(message);
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) for (const block of content) last.content.push(block);
    else if (content.length > 0) turns.push({ role, content: [...content] });
  }
  return turns;
}

/** All system texts. */
export const systemTexts = (messages: readonly ChatMessage[]) =>
  messages.flatMap((message) => (message.role === 'system' && message.text !== '' ? [message.text] : []));
