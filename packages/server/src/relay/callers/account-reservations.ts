import { resolvesWithin } from '../../platform/runtime/resolves-within.ts';
import type { CallerCache } from './caller-cache.ts';
import type { PointOwner, SharedAccount } from './point-holder.ts';

/** Leases of this node; only present if there are other nodes. */
interface Leases {
  /** Requests points from other nodes; false if this node cannot use its lease. */
  findMoreOf(owner: PointOwner, holder: SharedAccount, points: number): Promise<boolean>;
}

/** Maximum wait for the release, so that the next transfer finds the rest of the balance. */
const releasePatienceMs = 5000;

interface AccountHoldsDependencies {
  readonly callers: CallerCache;
  /** Undefined if a single process owns all quota. */
  readonly exchange: Leases | undefined;
}

/** Reserves points of users while they are moved to another account, so that in-flight requests cannot spend them. */
export class AccountReservations {
  readonly #dependencies: AccountHoldsDependencies;

  constructor(dependencies: AccountHoldsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Runs the work while the points are reserved; returns undefined without running it if too few points are free. */
  async withReservedPoints<T>(userId: number, points: number, work: () => Promise<T>): Promise<T | undefined> {
    const { callers, exchange } = this.#dependencies;
    const user = await callers.useUser(userId);
    if (!user) return undefined;
    const owner = { kind: 'user', id: userId } as const;
    if ((exchange && !(await exchange.findMoreOf(owner, user, points))) || !user.account.hold(points)) {
      user.inFlight -= 1;
      return undefined;
    }
    try {
      return await work();
    } finally {
      // Until the new balance has been read, the cached balance still contains the points.
      const releasing = callers
        .refresh('user', userId)
        .catch(() => undefined)
        .finally(() => {
          user.account.release(points);
          user.inFlight -= 1;
        });
      // Charges that cannot be stored delay the read.
      await resolvesWithin(releasing, releasePatienceMs);
    }
  }
}
