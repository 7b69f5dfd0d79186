import { type Account, type Caller, Reservation, type Shortage } from '@headgate/relay';
import type { TokenEntry, UsableEntry } from './caller-book.ts';
import type { LeaseDesk } from './lease-desk.ts';

/** Who calls with a token, as both were when the request came. */
export class TokenCaller implements Caller {
  readonly entry: TokenEntry;
  readonly userId: number;
  readonly username: string;
  readonly tokenId: number;
  readonly tokenName: string;
  readonly groups: readonly string[];
  readonly pinnedChannel: number | undefined;
  readonly isTokenLimited: boolean;
  readonly findMore: Caller['findMore'];
  readonly #desk: LeaseDesk | undefined;

  constructor(entry: UsableEntry, pinnedChannel: number | undefined, desk: LeaseDesk | undefined) {
    const { facts, user } = entry;
    this.entry = entry;
    this.userId = user.facts.id;
    this.username = user.facts.username;
    this.tokenId = facts.id;
    this.tokenName = facts.name;
    this.groups = user.groups;
    this.pinnedChannel = pinnedChannel;
    this.isTokenLimited = facts.unlimited_quota === 0;
    this.findMore = desk && ((points) => desk.findMore(this, points));
    this.#desk = desk;
  }

  reserve(points: number): Reservation | Shortage {
    const { user, account } = this.entry;
    const payer = { user: user.account, token: this.isTokenLimited ? account : undefined };
    return this.#desk?.shortageOf(this) ?? Reservation.open(payer, points);
  }

  /** Whose balances a charge changes. */
  get accounts(): readonly Account[] {
    const { user, account } = this.entry;
    return this.isTokenLimited ? [user.account, account] : [user.account];
  }
}
