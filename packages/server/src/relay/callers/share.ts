/** Whose points are spent; of a budget, those of one of its periods. */
export interface Owner {
  readonly kind: 'user' | 'token' | 'budget';
  readonly id: number;
}

/** What this process may spend of an owner's points. */
export interface Share {
  readonly points: number;
  /** What the others take it for; never less than what is left of the points. */
  readonly leased: number;
  /** What others may have of them, at most; 0: nobody else has any. */
  readonly elsewhere: number;
  /** Whether a node that has some of them is silent: they will be given back before long. */
  readonly awaited?: boolean;
  /** The number of the node it was given to; without worth for any other. */
  readonly node: number;
}

/** What is left of an earlier share, what running requests hold of it included. */
export type Remainder = Pick<Share, 'points' | 'node'>;

/** Says what of the points that are stored is for this process; undefined while it cannot know. */
export type Shares = (owner: Owner, stored: number, left?: Remainder) => Promise<Share | undefined>;

/** Stands for one that is not known yet: nothing may be spent of it, and nobody says that there is nothing. */
export const unknownShare: Share = { points: 0, leased: 0, elsewhere: Number.MAX_SAFE_INTEGER, node: -1 };

/** Stands for one that was given back because nobody needed it: leased anew when somebody does. */
export const returnedShare: Share = { ...unknownShare, node: -2 };

/** One process has everything. */
export const undivided: Shares = async (_, stored) => ({ points: stored, leased: stored, elsewhere: 0, node: 0 });
