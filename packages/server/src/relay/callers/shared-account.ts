import type { Account } from '@headgate/relay';
import type { Remainder, Share } from './share.ts';
import { pointsAfterLease } from './share-rules.ts';

/** Points that are divided between nodes, and the share of this node. */
export interface SharedAccount {
  share: Share;
  readonly account: Account;
}

/** Without a new share, the old one is kept: it may be void, but in-flight requests have reserved from it. */
export function applyShare(entry: SharedAccount, share: Share | undefined): void {
  if (!share) return;
  const isSameNode = entry.share.node === share.node;
  entry.share = share;
  entry.account.reload(pointsAfterLease(share, entry.account, isSameNode));
}

export const remainderOf = ({ account, share }: SharedAccount): Remainder => ({
  points: account.balance + account.unstored,
  node: share.node,
});
