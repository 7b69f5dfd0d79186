/** Company whose model produced the reasoning. Only its models accept the signature. */
export type ReasoningVendor = 'anthropic' | 'google' | 'openai';

/**
 * Reasoning before a response. Its vendor signs it and requires it unchanged in the next turn. Unsigned reasoning and
 * reasoning of other vendors is dropped for that vendor.
 */
export interface ReasoningBlock {
  readonly text: string;
  /** Undefined without a signature. */
  readonly maker?: ReasoningVendor;
  /** The vendor's signature of the text. */
  readonly signature?: string;
  /** Encrypted content instead of text. */
  readonly sealed?: string;
  /** Id assigned by the vendor. */
  readonly id?: string;
}

const tag = 'hg1';

/** Signature for clients of a dialect that supports only one vendor, prefixed with the actual vendor. */
export const taggedSignature = (maker: ReasoningVendor, seal: string): string => `${tag}.${maker}.${seal}`;

/** Reads a signature sent back by a client; without a prefix, it belongs to the dialect's own vendor. */
export function readTaggedSignature(
  seal: string,
  own: ReasoningVendor,
): { readonly maker: ReasoningVendor; readonly seal: string } {
  const [mark, maker, ...rest] = seal.split('.', 3);
  const isTagged = mark === tag && rest.length > 0 && isMaker(maker);
  return isTagged ? { maker, seal: seal.slice(tag.length + maker.length + 2) } : { maker: own, seal };
}

const makers: ReadonlySet<string | undefined> = new Set(['anthropic', 'google', 'openai'] satisfies ReasoningVendor[]);

const isMaker = (maker: string | undefined): maker is ReasoningVendor => makers.has(maker);

/** Text of all reasoning blocks. */
export const joinReasoning = (thoughts: readonly ReasoningBlock[]): string => thoughts.map(({ text }) => text).join('');

/** Unsigned reasoning text, which comes before the signed blocks. */
export function unsignedReasoning(choice: {
  readonly reasoning?: string;
  readonly thoughts?: readonly ReasoningBlock[];
}): string {
  const { reasoning = '', thoughts = [] } = choice;
  const sealed = joinReasoning(thoughts);
  return reasoning.endsWith(sealed) ? reasoning.slice(0, reasoning.length - sealed.length) : '';
}
