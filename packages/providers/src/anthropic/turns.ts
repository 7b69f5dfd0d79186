import type { ChatMessage, SystemMessage } from '@headgate/dialects';

export type SpokenMessage = Exclude<ChatMessage, SystemMessage>;

export interface Turn<Block> {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/** Neighbours of one role become one turn: results of parallel calls must come together, and with what the user adds. */
export function turnsOf<Block>(
  messages: readonly ChatMessage[],
  blocksOf: (message: SpokenMessage) => readonly Block[],
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

/** All that was said as the system. */
export const systemTexts = (messages: readonly ChatMessage[]) =>
  messages.flatMap((message) => (message.role === 'system' && message.text !== '' ? [message.text] : []));
