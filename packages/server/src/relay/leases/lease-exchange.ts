import { databaseUnreachableError, type Shortage } from '@headgate/relay';
import type { Change } from '../../platform/db/transaction.ts';
import type { CallerCache } from '../callers/caller-cache.ts';
import { type PointOwner, pointsToRelease, returnedShare, type SharedAccount } from '../callers/point-holder.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { ChargeWriter } from '../charges/charge-writer.ts';
import type { LeaseService } from './lease-service.ts';
import { leaseExpiryMs } from './lease-times.ts';

interface LeaseExchangeDependencies {
  readonly leases: LeaseService;
  readonly callers: CallerCache;
  readonly writer: ChargeWriter;
}

type Holder = SharedAccount;

/** How long a request waits for other nodes to release points. */
export const searchTimeoutMs = 2000;
/** Longest wait while a silent node's points are about to be released; must not be shortened by a slow database. */
const maxSearchTimeoutMs = 2 * leaseExpiryMs;
export const searchIntervalMs = 250;
/** After a search that found no points, no new search starts for this long. */
export const searchCooldownMs = 500;

/** Exchanges points between nodes when a request needs more than this node has leased. */
export class LeaseExchange {
  readonly #dependencies: LeaseExchangeDependencies;
  readonly #searches = new Map<string, Promise<void>>();
  readonly #dryUntil = new WeakMap<Holder, number>();
  readonly #waiting = new Map<string, () => void>();

  constructor(dependencies: LeaseExchangeDependencies) {
    this.#dependencies = dependencies;
  }

  /** Leases are void while the node is disconnected, and until it has leased again. */
  shortageOf({ entry, user, isTokenLimited, budgets }: TokenCaller): Shortage | undefined {
    const isValid = this.#isValid(user) && (!isTokenLimited || this.#isValid(entry));
    return isValid && budgets.every((budget) => this.#isValid(budget)) ? undefined : 'out_of_touch';
  }

  /** Points of the balance are not requested while a plan is charged. */
  findMore(caller: TokenCaller, points: number, isPaidByPlan: boolean): Promise<void> {
    return withDatabaseTimeout(this.#findMoreOfAll(caller, points, isPaidByPlan));
  }

  isLeased(holder: SharedAccount): boolean {
    return this.#isValid(holder);
  }

  /** Requests an owner's points from other nodes; false if this node cannot use its lease. */
  async findMoreOf(owner: PointOwner, holder: SharedAccount, points: number): Promise<boolean> {
    await withDatabaseTimeout(this.#findMore(owner, holder, points));
    return this.#isValid(holder);
  }

  async #findMoreOfAll(caller: TokenCaller, points: number, isPaidByPlan: boolean): Promise<void> {
    const { entry, user, userId, tokenId, isTokenLimited, budgets } = caller;
    await this.#findMore({ kind: 'user', id: userId }, user, isPaidByPlan ? 0 : points);
    if (isTokenLimited) await this.#findMore({ kind: 'token', id: tokenId }, entry, points);
    for (const budget of budgets) await this.#findMore({ kind: 'budget', id: budget.id }, budget, points);
  }

  async onChange(change: Change): Promise<void> {
    const [event, kind, id, points, node] = change.split(':');
    if (kind !== 'user' && kind !== 'token' && kind !== 'budget') return;
    if (event === 'given') this.#waiting.get(`${kind}:${id}`)?.();
    if (event === 'wanted' && Number(node) !== this.#dependencies.leases.node) {
      const owner: PointOwner = { kind, id: Number(id) };
      const { callers, leases } = this.#dependencies;
      const holder = callers.holder(owner);
      // Most nodes have never seen the owner. They have nothing to release, so they neither wait nor lock the row.
      const hasNothing = !holder || holder.share === returnedShare;
      if (hasNothing && !callers.mayHaveUnknown && !leases.isInDoubt(owner)) return;
      // The node was disconnected after it leased, so it may only release points that it leases again.
      if (holder && !this.#isValid(holder)) await callers.refresh(kind, owner.id);
      await this.#give(owner, Number(points));
    }
  }

  /** Allows a new search immediately, because the owner changed. */
  lookAgain(owner: PointOwner): void {
    const holder = this.#dependencies.callers.holder(owner);
    if (holder) this.#dryUntil.delete(holder);
  }

  #isValid({ share }: Holder): boolean {
    return share.node === this.#dependencies.leases.node;
  }

  #isEnough(holder: Holder, points: number): boolean {
    return this.#isValid(holder) && holder.account.free >= points;
  }

  async #findMore(owner: PointOwner, holder: Holder, points: number): Promise<void> {
    // Another caller's search may have taken all points while this caller waited for it, so it searches twice.
    for (let searches = 0; searches < 2; searches += 1) {
      const hasAll = this.#isValid(holder) && holder.share.elsewhere === 0;
      if (hasAll || this.#isEnough(holder, points)) return;
      if ((this.#dryUntil.get(holder) ?? 0) > performance.now()) return;
      await this.#search(owner, holder, points);
    }
  }

  #search(owner: PointOwner, holder: Holder, points: number): Promise<void> {
    const name = `${owner.kind}:${owner.id}`;
    const running = this.#searches.get(name);
    if (running !== undefined) return running;
    const search = this.#seek(owner, holder, points).finally(() => this.#searches.delete(name));
    this.#searches.set(name, search);
    return search;
  }

  async #seek(owner: PointOwner, holder: Holder, points: number): Promise<void> {
    const { leases, callers } = this.#dependencies;
    const start = performance.now();
    for (;;) {
      await callers.refresh(owner.kind, owner.id);
      const hasAll = this.#isValid(holder) && holder.share.elsewhere === 0;
      if (hasAll || this.#isEnough(holder, points)) return;
      if (performance.now() - start >= (holder.share.isReleaseDue ? maxSearchTimeoutMs : searchTimeoutMs)) break;
      const response = this.#respondFor(owner);
      if (this.#isValid(holder)) await leases.ask(owner, points);
      await response;
    }
    await leases.freeLocksOfSilentNodes().catch(() => undefined);
    this.#dryUntil.set(holder, performance.now() + searchCooldownMs);
  }

  /** Resolves when a node has released points. Times out, because not all nodes respond. */
  #respondFor({ kind, id }: PointOwner): Promise<void> {
    return new Promise((resolve) => {
      const name = `${kind}:${id}`;
      const timer = setTimeout(() => this.#waiting.get(name)?.(), searchIntervalMs);
      this.#waiting.set(name, () => {
        clearTimeout(timer);
        this.#waiting.delete(name);
        resolve();
      });
    });
  }

  #give(owner: PointOwner, wanted: number): Promise<void> {
    const { callers, leases, writer } = this.#dependencies;
    return writer.readBetween(async () => {
      const holder = callers.holder(owner);
      if (!holder) return leases.reduceTo(owner, 0);
      if (!this.#isValid(holder)) {
        if (holder.share === returnedShare) await leases.reduceTo(owner, 0);
        return;
      }
      const { account } = holder;
      const given = pointsToRelease(account.free, wanted);
      const kept = account.balance + account.unstored - given;
      // With nothing to release and an accurate lease, a notification would only cause another request.
      if (given === 0 && kept === holder.share.leased) return;
      // Must be set before other nodes can use the points, because requests continue in the meantime.
      account.reload(kept);
      holder.share = {
        ...holder.share,
        points: kept,
        leased: kept,
        elsewhere: Math.max(1, holder.share.elsewhere + given),
      };
      await leases.reduceTo(owner, kept);
    });
  }
}

/** How long a request waits for the database. */
const defaultTimeoutMs = 10_000;

/** Returns the result, or fails after a timeout, so that the client can retry instead of hanging. */
export async function withDatabaseTimeout<T>(response: Promise<T>, ms = defaultTimeoutMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseUnreachableError()), ms);
  });
  try {
    return await Promise.race([response, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
