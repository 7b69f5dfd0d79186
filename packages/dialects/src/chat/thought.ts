/** The company whose model had a thought, and whose models alone can tell that it is genuine. */
export type ThoughtMaker = 'anthropic' | 'google' | 'openai';

/**
 * What a model thought before its answer. Its maker seals it, and wants it back unchanged in the next turn: a thought
 * without its seal, or of another maker, is left out there.
 */
export interface Thought {
  readonly text: string;
  /** Undefined when nobody sealed it. */
  readonly maker?: ThoughtMaker;
  /** The maker's proof that the text is its own. */
  readonly signature?: string;
  /** In place of the text: what only the maker can read. */
  readonly sealed?: string;
  /** The name the maker gave it. */
  readonly id?: string;
}

const tag = 'hg1';

/** A seal for clients of a dialect that knows one maker only: it names whose it is when it comes back. */
export const taggedSeal = (maker: ThoughtMaker, seal: string): string => `${tag}.${maker}.${seal}`;

/** Reads a seal that a client brought back; without a tag it is of the dialect's own maker. */
export function readSeal(seal: string, own: ThoughtMaker): { readonly maker: ThoughtMaker; readonly seal: string } {
  const [mark, maker, ...rest] = seal.split('.', 3);
  const isTagged = mark === tag && rest.length > 0 && isMaker(maker);
  return isTagged ? { maker, seal: seal.slice(tag.length + maker.length + 2) } : { maker: own, seal };
}

const makers: ReadonlySet<string | undefined> = new Set(['anthropic', 'google', 'openai'] satisfies ThoughtMaker[]);

const isMaker = (maker: string | undefined): maker is ThoughtMaker => makers.has(maker);

/** The words of all thoughts, for those who only read them. */
export const thoughtsText = (thoughts: readonly Thought[]): string => thoughts.map(({ text }) => text).join('');

/** The words of thoughts that nobody sealed, which stand before those somebody did. */
export function unsealedReasoning(choice: {
  readonly reasoning?: string;
  readonly thoughts?: readonly Thought[];
}): string {
  const { reasoning = '', thoughts = [] } = choice;
  const sealed = thoughtsText(thoughts);
  return reasoning.endsWith(sealed) ? reasoning.slice(0, reasoning.length - sealed.length) : '';
}
