import { type Account, type Caller, Reservation, type Shortage, shortageError } from '@headgate/relay';
import type { TokenEntry, UsableEntry } from './caller-entry.ts';
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
  readonly #userGroups: readonly string[];
  readonly #facts: UsableEntry['facts'];
  readonly #userFacts: UsableEntry['user']['facts'];

  constructor(entry: UsableEntry, credentials: Credentials, leases: Leases | undefined) {
    const { facts, user } = entry;
    this.entry = entry;
    this.credentials = credentials;
    this.userId = user.facts.id;
    this.username = user.facts.username;
    this.tokenId = facts.id;
    this.tokenName = facts.name;
    const narrowed = entry.groups;
    this.groups = narrowed ? user.groups.filter((group) => narrowed.has(group)) : user.groups;
    this.#userGroups = user.groups;
    this.pinnedChannel = credentials.channel;
    this.isTokenLimited = facts.unlimited_quota === 0;
    this.findMore = leases && ((points) => leases.findMore(this, points));
    this.#leases = leases;
    this.#facts = facts;
    this.#userFacts = user.facts;
  }

  /** Whether nothing has changed of the token and its user since. */
  isAsIn({ facts, user }: UsableEntry): boolean {
    return this.#facts === facts && this.#userFacts === user.facts && this.#userGroups === user.groups;
  }

  get isOutOfTouch(): boolean {
    return this.#leases?.shortageOf(this) === 'out_of_touch';
  }

  get free(): number {
    const { user, account } = this.entry;
    return this.isTokenLimited ? Math.min(user.account.free, account.free) : user.account.free;
  }

  reserve(points: number, least = points): Reservation | Shortage {
    const { user, account } = this.entry;
    const payer = {
      user: user.account,
      token: this.isTokenLimited ? account : undefined,
      ...(this.#leases && { isVoid: () => this.isOutOfTouch }),
    };
    const unleased = this.#leases?.shortageOf(this);
    if (unleased !== undefined) return unleased;
    const reserved = Reservation.open(payer, points, least);
    if (reserved === 'user' && isElsewhere(user, least)) return 'user_held';
    return reserved === 'token' && isElsewhere(this.entry, least) ? 'token_held' : reserved;
  }

  /** Throws when there is known to be nothing left to spend, here or at another node. What is free needs nothing. */
  requireQuota(): void {
    const { account, share } = this.entry.user;
    if (this.#leases?.shortageOf(this) !== undefined) return;
    if (account.free > 0 || share.elsewhere > 0) return;
    throw shortageError(account.balance > 0 ? 'user_held' : 'user');
  }

  /** Whose balances a charge changes. */
  get accounts(): readonly Account[] {
    const { user, account } = this.entry;
    return this.isTokenLimited ? [user.account, account] : [user.account];
  }
}

/** What other nodes did not give when they were asked is held there. */
const isElsewhere = ({ account, share }: Pick<TokenEntry, 'account' | 'share'>, points: number): boolean =>
  share.elsewhere > 0 && account.balance + share.elsewhere >= points;
