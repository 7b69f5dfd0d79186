import type { ReasoningBlock } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Whether reasoning is signed by Anthropic, which accepts no other reasoning. */
export const isSignedByAnthropic = ({ maker, signature, sealed }: ReasoningBlock): boolean =>
  maker === 'anthropic' && (signature !== undefined || sealed !== undefined);

/** Writes Claude's earlier reasoning unchanged. */
export const reasoningBlocks = (thoughts: readonly ReasoningBlock[]): readonly JsonObject[] =>
  thoughts
    .filter(isSignedByAnthropic)
    .map(({ text, signature, sealed }) =>
      sealed === undefined
        ? { type: 'thinking', thinking: text, signature }
        : { type: 'redacted_thinking', data: sealed },
    );
