import { type ReasoningBlock, readTaggedSignature, taggedSignature } from '../chat/reasoning-block.ts';
import type { JsonObject } from '../json-fields.ts';
import { textAt } from '../upstream-fields.ts';

const own = 'anthropic';

/** Separates a reasoning id from its encrypted content; neither contains this character. */
const idEnd = '~';

/** Writes reasoning as a block that the client sends back unchanged; another vendor's reasoning is tagged. */
export function writeReasoningBlock(thought: ReasoningBlock): JsonObject {
  const { text, sealed } = thought;
  if (sealed === undefined) return { type: 'thinking', thinking: text, signature: formatSignature(thought) };
  return { type: 'redacted_thinking', data: redactedData(thought, sealed) };
}

/** Empty without a signature. */
export function formatSignature({ maker = own, signature }: ReasoningBlock): string {
  if (signature === undefined) return '';
  return maker === own ? signature : taggedSignature(maker, signature);
}

export function redactedData({ maker = own, id }: ReasoningBlock, sealed: string): string {
  if (maker === own) return sealed;
  return taggedSignature(maker, id === undefined ? sealed : `${id}${idEnd}${sealed}`);
}

/** Gemini's signature of a call, as a reasoning block before the call. */
export const callSignature = (signature: string): ReasoningBlock => ({ text: '', maker: 'google', signature });

/** Signature of the call that follows the block; undefined when the block itself is reasoning. */
export function readCallSignature(block: JsonObject): string | undefined {
  if (block['type'] !== 'thinking' || textAt(block, 'thinking') !== '') return undefined;
  const { maker, seal } = readTaggedSignature(textAt(block, 'signature'), own);
  return maker === 'google' ? seal : undefined;
}

export function readThinking(block: JsonObject): ReasoningBlock {
  const text = textAt(block, 'thinking');
  const given = textAt(block, 'signature');
  if (given === '') return { text };
  const { maker, seal } = readTaggedSignature(given, own);
  return { text, maker, signature: seal };
}

export function readRedacted(block: JsonObject): ReasoningBlock {
  const { maker, seal } = readTaggedSignature(textAt(block, 'data'), own);
  const end = maker === own ? -1 : seal.indexOf(idEnd);
  if (end === -1) return { text: '', maker, sealed: seal };
  return { text: '', maker, sealed: seal.slice(end + 1), id: seal.slice(0, end) };
}
