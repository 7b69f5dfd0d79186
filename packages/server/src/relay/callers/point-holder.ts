import { Account } from '@headgate/relay';

/** A cached owner of points. */
export interface PointHolder {
  share: Share;
  readonly account: Account;
  /** Requests that are not settled yet. */
  inFlight: number;
  /** True if a request has started since the last idle check. */
  wasUsed: boolean;
  /** Monotonic time at which it was first seen idle, in milliseconds. */
  idleSince: number;
  /** True once evicted. A new entry may exist, so the evicted one must not be charged. */
  isForgotten: boolean;
}

export const createPointHolder = (share: Share): PointHolder => ({
  share,
  account: new Account(share.points),
  inFlight: 0,
  wasUsed: true,
  idleSince: 0,
  isForgotten: false,
});

/** True if no request is in flight and everything is stored, so that the lease can be returned. */
export const isHolderIdle = ({ account, inFlight, wasUsed }: PointHolder): boolean =>
  inFlight === 0 && !wasUsed && account.isIdle;

/** Points that are divided between nodes, and the share of this node. */
export interface SharedAccount {
  share: Share;
  readonly account: Account;
}

/** If there is no new share, the old one is kept: it may be void, but in-flight requests have reserved from it. */
export function updateShare(entry: SharedAccount, share: Share | undefined): void {
  if (!share) return;
  const isSameNode = entry.share.node === share.node;
  entry.share = share;
  entry.account.reload(pointsAfterLease(share, entry.account, isSameNode));
}

export const remainingShare = ({ account, share }: SharedAccount): Remainder => ({
  points: account.balance + account.unstored,
  node: share.node,
});

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
  /** Upper bound of the points that other nodes may hold; 0 if they hold none. */
  readonly elsewhere: number;
  /** True if a node that holds points is unresponsive, so that its points will be released soon. */
  readonly isReleaseDue?: boolean;
  /** Id of the node to which the share was issued. Other nodes cannot use it. */
  readonly node: number;
}

/** Remainder of an earlier share, including reservations. */
export type Remainder = Pick<Share, 'points' | 'node'>;

/** Returns this process's share of the stored points, or undefined while it is unknown. */
export type Shares = (owner: PointOwner, stored: number, left?: Remainder) => Promise<Share | undefined>;

/** Placeholder for an unknown share: nothing may be spent, but the balance is not treated as exhausted. */
export const pendingShare: Share = { points: 0, leased: 0, elsewhere: Number.MAX_SAFE_INTEGER, node: -1 };

/** Placeholder for a share that was returned while idle; it is leased again on demand. */
export const returnedShare: Share = { ...pendingShare, node: -2 };

/** A single process owns everything. */
export const singleNodeShares: Shares = async (_, stored) => ({
  points: stored,
  leased: stored,
  elsewhere: 0,
  node: 0,
});

/**
 * Points that a node may lease when other live nodes may hold up to `elsewhere` of them. If the others hold less than
 * their leases allow, the result can be less than this node already had. The reserved part (`remaining`) must not be
 * leased to another node, so the lease never shrinks below it.
 */
export function leaseSize(stored: number, elsewhere: number, remaining: number): { points: number; leased: number } {
  const left = stored - elsewhere;
  return { points: elsewhere > 0 ? Math.max(0, left) : left, leased: Math.max(0, left, remaining) };
}

/** Points released to a node that requests some: half of the free points, or all of them if half is not enough. */
export function pointsToRelease(free: number, wanted: number): number {
  const spare = Math.max(0, free);
  return spare / 2 >= wanted ? Math.floor(spare / 2) : spare;
}

/**
 * Points after a lease. While other nodes hold points, at least the reservations of in-flight requests stay covered.
 */
export function pointsAfterLease(
  share: { readonly points: number; readonly elsewhere: number },
  { held, unstored }: { readonly held: number; readonly unstored: number },
  isSameNode: boolean,
): number {
  return isSameNode && share.elsewhere > 0 ? Math.max(share.points, held + unstored) : share.points;
}
