import type { Thought } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Sealed by Anthropic, which takes no others. */
export const isOwnThought = ({ maker, signature, sealed }: Thought): boolean =>
  maker === 'anthropic' && (signature !== undefined || sealed !== undefined);

/** What Claude thought before, as it gave it. */
export const thoughtBlocks = (thoughts: readonly Thought[]): readonly JsonObject[] =>
  thoughts
    .filter(isOwnThought)
    .map(({ text, signature, sealed }) =>
      sealed === undefined
        ? { type: 'thinking', thinking: text, signature }
        : { type: 'redacted_thinking', data: sealed },
    );
