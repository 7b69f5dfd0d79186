import { Account } from '@headgate/relay';
import type { Share } from './share.ts';

/** A cached owner of points. */
export interface Holder {
  share: Share;
  readonly account: Account;
  /** Requests that are not settled yet. */
  underWay: number;
  /** True if a request started since the last idle check. */
  isUsed: boolean;
  /** Monotonic time at which it was first seen idle, in milliseconds. */
  idleSince: number;
  /** True once evicted. A new entry may exist, so this one must not be charged. */
  isForgotten: boolean;
}

export const newHolder = (share: Share): Holder => ({
  share,
  account: new Account(share.points),
  underWay: 0,
  isUsed: true,
  idleSince: 0,
  isForgotten: false,
});

/** No in-flight requests and everything stored: the lease can be returned. */
export const isAtRest = ({ account, underWay, isUsed }: Holder): boolean => underWay === 0 && !isUsed && account.isIdle;
