/** Owner of points; for a budget, the id of one of its periods. */
export interface PointOwner {
  readonly kind: 'user' | 'token' | 'budget';
  readonly id: number;
}

/** The points of an owner that this process may spend. */
export interface Share {
  readonly points: number;
  /** Size of the lease as the other nodes see it; never less than the remaining points. */
  readonly leased: number;
  /** Upper bound of the points other nodes may hold; 0 if they hold none. */
  readonly elsewhere: number;
  /** True if a node that holds points is silent, so that its points will be released soon. */
  readonly isReleaseDue?: boolean;
  /** Id of the node the share was issued to. Other nodes cannot use the share. */
  readonly node: number;
}

/** Remainder of an earlier share, including reservations. */
export type Remainder = Pick<Share, 'points' | 'node'>;

/** Returns this process's share of the stored points, or undefined while it is unknown. */
export type Shares = (owner: PointOwner, stored: number, left?: Remainder) => Promise<Share | undefined>;

/** Placeholder for an unknown share: nothing may be spent, but the balance does not count as exhausted. */
export const unknownShare: Share = { points: 0, leased: 0, elsewhere: Number.MAX_SAFE_INTEGER, node: -1 };

/** Placeholder for a share that was returned while idle; it is leased again on demand. */
export const returnedShare: Share = { ...unknownShare, node: -2 };

/** A single process owns everything. */
export const undividedShares: Shares = async (_, stored) => ({ points: stored, leased: stored, elsewhere: 0, node: 0 });
