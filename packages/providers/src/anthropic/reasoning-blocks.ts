import type { ReasoningBlock } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Signed by Anthropic, which accepts no others. */
export const isSignedByAnthropic = ({ maker, signature, sealed }: ReasoningBlock): boolean =>
  maker === 'anthropic' && (signature !== undefined || sealed !== undefined);

/** Claude's earlier reasoning, unchanged. */
export const reasoningBlocks = (thoughts: readonly ReasoningBlock[]): readonly JsonObject[] =>
  thoughts
    .filter(isSignedByAnthropic)
    .map(({ text, signature, sealed }) =>
      sealed === undefined
        ? { type: 'thinking', thinking: text, signature }
        : { type: 'redacted_thinking', data: sealed },
    );
