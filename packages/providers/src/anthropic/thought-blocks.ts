import type { Thought } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Signed by Anthropic, which accepts no others. */
export const isOwnThought = ({ maker, signature, sealed }: Thought): boolean =>
  maker === 'anthropic' && (signature !== undefined || sealed !== undefined);

/** Claude's earlier reasoning, unchanged. */
export const thoughtBlocks = (thoughts: readonly Thought[]): readonly JsonObject[] =>
  thoughts
    .filter(isOwnThought)
    .map(({ text, signature, sealed }) =>
      sealed === undefined
        ? { type: 'thinking', thinking: text, signature }
        : { type: 'redacted_thinking', data: sealed },
    );
