import { Account } from '@headgate/relay';
import type { Share } from './share.ts';

/** A cached owner of points. */
export interface PointHolder {
  share: Share;
  readonly account: Account;
  /** Requests that are not settled yet. */
  inFlight: number;
  /** True if a request started since the last idle check. */
  wasUsed: boolean;
  /** Monotonic time at which it was first seen idle, in milliseconds. */
  idleSince: number;
  /** True once evicted. A new entry may exist, so this one must not be charged. */
  isForgotten: boolean;
}

export const newPointHolder = (share: Share): PointHolder => ({
  share,
  account: new Account(share.points),
  inFlight: 0,
  wasUsed: true,
  idleSince: 0,
  isForgotten: false,
});

/** True if no request is in flight and everything is stored, so that the lease can be returned. */
export const isIdleHolder = ({ account, inFlight, wasUsed }: PointHolder): boolean =>
  inFlight === 0 && !wasUsed && account.isIdle;
