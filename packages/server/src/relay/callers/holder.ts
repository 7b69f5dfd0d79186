import { Account } from '@headgate/relay';
import type { Share } from './share.ts';

/** An owner of points as this process remembers it. */
export interface Holder {
  share: Share;
  readonly account: Account;
  /** Requests that spend of it and are not settled yet. */
  underWay: number;
  /** Whether a request began since somebody last looked. */
  isUsed: boolean;
  /** When it was first seen at rest, on a clock that only grows. */
  idleSince: number;
  /** Another may be in its place by now: nothing may be spent of this one. */
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

/** Nothing under way and everything stored: nothing is lost by giving back what it has. */
export const isAtRest = ({ account, underWay, isUsed }: Holder): boolean => underWay === 0 && !isUsed && account.isIdle;
