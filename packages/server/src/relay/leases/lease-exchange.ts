import type { Shortage } from '@headgate/relay';
import type { Change } from '../../platform/db/transaction.ts';
import type { CallerCache } from '../callers/caller-cache.ts';
import type { Divided } from '../callers/divided.ts';
import { type Owner, returnedShare } from '../callers/share.ts';
import { pointsToGive } from '../callers/share-rules.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { ChargeWriter } from '../charges/charge-writer.ts';
import { withDatabaseTimeout } from './database-timeout.ts';
import type { LeaseService } from './lease-service.ts';
import { returnedAfterMs } from './lease-times.ts';

interface LeaseExchangeDependencies {
  readonly leases: LeaseService;
  readonly callers: CallerCache;
  readonly writer: ChargeWriter;
}

type Holder = Divided;

/** How long a request waits for other nodes to give some of theirs. */
export const patienceMs = 2000;
/** The same while one is silent whose points come back: a slow database must not end it a moment before they do. */
const longestPatienceMs = 2 * returnedAfterMs;
export const lookAgainMs = 250;
/** After nothing was to be had, nobody asks again for so long. */
export const dryMs = 500;

/** Where nodes give each other points, when a request needs more than this one has leased. */
export class LeaseExchange {
  readonly #dependencies: LeaseExchangeDependencies;
  readonly #searches = new Map<string, Promise<void>>();
  readonly #dryUntil = new WeakMap<Holder, number>();
  readonly #waiting = new Map<string, () => void>();

  constructor(dependencies: LeaseExchangeDependencies) {
    this.#dependencies = dependencies;
  }

  /** What this node leased is void while it is out of touch with the others, and until it has leased anew. */
  shortageOf({ entry, isTokenLimited, budgets }: TokenCaller): Shortage | undefined {
    const isValid = this.#isValid(entry.user) && (!isTokenLimited || this.#isValid(entry));
    return isValid && budgets.every((budget) => this.#isValid(budget)) ? undefined : 'out_of_touch';
  }

  findMore(caller: TokenCaller, points: number): Promise<void> {
    return withDatabaseTimeout(this.#findMoreOfAll(caller, points));
  }

  async #findMoreOfAll(caller: TokenCaller, points: number): Promise<void> {
    const { entry, userId, tokenId, isTokenLimited, budgets } = caller;
    await this.#findMore({ kind: 'user', id: userId }, entry.user, points);
    if (isTokenLimited) await this.#findMore({ kind: 'token', id: tokenId }, entry, points);
    for (const budget of budgets) await this.#findMore({ kind: 'budget', id: budget.id }, budget, points);
  }

  async onChange(change: Change): Promise<void> {
    const [event, kind, id, points, node] = change.split(':');
    if (kind !== 'user' && kind !== 'token' && kind !== 'budget') return;
    if (event === 'given') this.#waiting.get(`${kind}:${id}`)?.();
    if (event === 'wanted' && Number(node) !== this.#dependencies.leases.node) {
      const owner: Owner = { kind, id: Number(id) };
      const { callers, leases } = this.#dependencies;
      const holder = callers.holder(owner);
      // Of many nodes most have never met the owner: nothing of theirs waits, and nothing is locked, for what they cannot give.
      const hasNothing = !holder || holder.share === returnedShare;
      if (hasNothing && !callers.mayHaveUnknown && !leases.isInDoubt(owner)) return;
      // It lost touch since it leased, and may give only what it leases anew.
      if (holder && !this.#isValid(holder)) await callers.refresh(kind, owner.id);
      await this.#give(owner, Number(points));
    }
  }

  /** Somebody changed the owner: where nothing was to be had there may be something now. */
  lookAgain(owner: Owner): void {
    const holder = this.#dependencies.callers.holder(owner);
    if (holder) this.#dryUntil.delete(holder);
  }

  #isValid({ share }: Holder): boolean {
    return share.node === this.#dependencies.leases.node;
  }

  #isEnough(holder: Holder, points: number): boolean {
    return this.#isValid(holder) && holder.account.free >= points;
  }

  async #findMore(owner: Owner, holder: Holder, points: number): Promise<void> {
    // Who waited for another's search may find that it took everything: once more, for himself.
    for (let searches = 0; searches < 2; searches += 1) {
      const hasAll = this.#isValid(holder) && holder.share.elsewhere === 0;
      if (hasAll || this.#isEnough(holder, points)) return;
      if ((this.#dryUntil.get(holder) ?? 0) > performance.now()) return;
      await this.#search(owner, holder, points);
    }
  }

  #search(owner: Owner, holder: Holder, points: number): Promise<void> {
    const name = `${owner.kind}:${owner.id}`;
    const running = this.#searches.get(name);
    if (running !== undefined) return running;
    const search = this.#seek(owner, holder, points).finally(() => this.#searches.delete(name));
    this.#searches.set(name, search);
    return search;
  }

  async #seek(owner: Owner, holder: Holder, points: number): Promise<void> {
    const { leases, callers } = this.#dependencies;
    const start = performance.now();
    for (;;) {
      await callers.refresh(owner.kind, owner.id);
      const hasAll = this.#isValid(holder) && holder.share.elsewhere === 0;
      if (hasAll || this.#isEnough(holder, points)) return;
      if (performance.now() - start >= (holder.share.awaited ? longestPatienceMs : patienceMs)) break;
      const answer = this.#answerFor(owner);
      if (this.#isValid(holder)) await leases.ask(owner, points);
      await answer;
    }
    // Where that fails, nobody has less than before.
    await leases.freeLocksOfSilentNodes().catch(() => undefined);
    this.#dryUntil.set(holder, performance.now() + dryMs);
  }

  /** Until a node says that it has given some; not all who are asked do. */
  #answerFor({ kind, id }: Owner): Promise<void> {
    return new Promise((resolve) => {
      const name = `${kind}:${id}`;
      const timer = setTimeout(() => this.#waiting.get(name)?.(), lookAgainMs);
      this.#waiting.set(name, () => {
        clearTimeout(timer);
        this.#waiting.delete(name);
        resolve();
      });
    });
  }

  #give(owner: Owner, wanted: number): Promise<void> {
    const { callers, leases, writer } = this.#dependencies;
    return writer.readBetween(async () => {
      const holder = callers.holder(owner);
      if (!holder) return leases.keep(owner, 0);
      if (!this.#isValid(holder)) {
        if (holder.share === returnedShare) await leases.keep(owner, 0);
        return;
      }
      const { account } = holder;
      const given = pointsToGive(account.free, wanted);
      const kept = account.balance + account.unstored - given;
      // Nothing is given, and the lease says so already: an answer would only make the other ask again at once.
      if (given === 0 && kept === holder.share.leased) return;
      // Before the others may count on it: requests go on meanwhile.
      account.reload(kept);
      holder.share = {
        ...holder.share,
        points: kept,
        leased: kept,
        elsewhere: Math.max(1, holder.share.elsewhere + given),
      };
      await leases.keep(owner, kept);
    });
  }
}
