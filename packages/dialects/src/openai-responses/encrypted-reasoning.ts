import { type ReasoningBlock, readTaggedSignature, taggedSignature } from '../chat/reasoning-block.ts';

// This dialect has one field for encrypted content. OpenAI's content is stored unchanged; for other makers the field
// contains the maker and the signed item: reasoning text, encrypted reasoning, or a call.

const textMark = 's';
const wholeMark = 'd';
const callMark = 'c';

/** Null without a signature. */
export function encryptedContent({ maker, signature, sealed }: ReasoningBlock): string | null {
  if (maker === undefined) return null;
  if (sealed !== undefined) return maker === 'openai' ? sealed : taggedSignature(maker, wholeMark + sealed);
  return signature === undefined ? null : taggedSignature(maker, textMark + signature);
}

/** Encodes Google's signature of a call, for which this dialect has no field. */
export const encryptedCallSignature = (callId: string, signature: string): string =>
  taggedSignature('google', `${callMark}${callId}.${signature}`);

/** Encrypted content that a client sent back, decoded. */
export type DecodedReasoning =
  | { readonly thought: ReasoningBlock }
  | { readonly callId: string; readonly signature: string };

export function decodeReasoning(content: string, text: string, id: string): DecodedReasoning {
  const named = { text, ...(id !== '' && { id }) };
  if (content === '') return { thought: { text } };
  const { maker, seal } = readTaggedSignature(content, 'openai');
  if (!content.startsWith(taggedSignature(maker, ''))) return { thought: { ...named, maker, sealed: seal } };
  const rest = seal.slice(1);
  if (seal.startsWith(callMark)) {
    const dot = rest.lastIndexOf('.');
    return { callId: rest.slice(0, dot), signature: rest.slice(dot + 1) };
  }
  if (seal.startsWith(wholeMark)) return { thought: { text, maker, sealed: rest } };
  return { thought: { text, maker, signature: rest } };
}
