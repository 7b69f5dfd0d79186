import { readSeal, type Thought, taggedSeal } from '../chat/thought.ts';

// The dialect has one field for encrypted content. OpenAI's own is stored as it is; for others it contains the maker
// and what is signed: reasoning text, the reasoning itself, or a call.

const textMark = 's';
const wholeMark = 'd';
const callMark = 'c';

/** Null without a signature. */
export function encryptedContent({ maker, signature, sealed }: Thought): string | null {
  if (maker === undefined) return null;
  if (sealed !== undefined) return maker === 'openai' ? sealed : taggedSeal(maker, wholeMark + sealed);
  return signature === undefined ? null : taggedSeal(maker, textMark + signature);
}

/** Google's signature of a call, which has no field here. */
export const sealedCall = (callId: string, signature: string): string =>
  taggedSeal('google', `${callMark}${callId}.${signature}`);

/** Decoded content that a client returned. */
export type Unsealed = { readonly thought: Thought } | { readonly callId: string; readonly signature: string };

export function unseal(content: string, text: string, id: string): Unsealed {
  const named = { text, ...(id !== '' && { id }) };
  if (content === '') return { thought: { text } };
  const { maker, seal } = readSeal(content, 'openai');
  if (!content.startsWith(taggedSeal(maker, ''))) return { thought: { ...named, maker, sealed: seal } };
  const rest = seal.slice(1);
  if (seal.startsWith(callMark)) {
    const dot = rest.lastIndexOf('.');
    return { callId: rest.slice(0, dot), signature: rest.slice(dot + 1) };
  }
  if (seal.startsWith(wholeMark)) return { thought: { text, maker, sealed: rest } };
  return { thought: { text, maker, signature: rest } };
}
