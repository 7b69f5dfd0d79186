import { type Account, type Caller, RelayError, Reservation, type Shortage } from '@headgate/relay';
import type { TokenEntry, UsableEntry } from './caller-book.ts';
import type { Credentials } from './token-check.ts';

/** Where there are other nodes: whose points this one may spend, and where to ask for more. */
interface Leases {
  shortageOf(caller: TokenCaller): Shortage | undefined;
  findMore(caller: TokenCaller, points: number): Promise<void>;
}

/** Who calls with a token, as both were when the request came. */
export class TokenCaller implements Caller {
  readonly credentials: Credentials;
  readonly entry: TokenEntry;
  readonly userId: number;
  readonly username: string;
  readonly tokenId: number;
  readonly tokenName: string;
  readonly groups: readonly string[];
  readonly pinnedChannel: number | undefined;
  readonly isTokenLimited: boolean;
  readonly findMore: Caller['findMore'];
  readonly #leases: Leases | undefined;

  constructor(entry: UsableEntry, credentials: Credentials, leases: Leases | undefined) {
    const { facts, user } = entry;
    this.entry = entry;
    this.credentials = credentials;
    this.userId = user.facts.id;
    this.username = user.facts.username;
    this.tokenId = facts.id;
    this.tokenName = facts.name;
    this.groups = user.groups;
    this.pinnedChannel = credentials.channel;
    this.isTokenLimited = facts.unlimited_quota === 0;
    this.findMore = leases && ((points) => leases.findMore(this, points));
    this.#leases = leases;
  }

  reserve(points: number): Reservation | Shortage {
    const { user, account } = this.entry;
    const payer = { user: user.account, token: this.isTokenLimited ? account : undefined };
    return this.#leases?.shortageOf(this) ?? Reservation.open(payer, points);
  }

  /** Throws when there is known to be nothing left to spend, here or at another node. What is free needs nothing. */
  requireQuota(): void {
    const { account, share } = this.entry.user;
    if (this.#leases?.shortageOf(this) !== undefined) return;
    if (account.free <= 0 && share.elsewhere === 0)
      throw new RelayError(402, 'Your quota is not enough', 'insufficient_user_quota');
  }

  /** Whose balances a charge changes. */
  get accounts(): readonly Account[] {
    const { user, account } = this.entry;
    return this.isTokenLimited ? [user.account, account] : [user.account];
  }
}
