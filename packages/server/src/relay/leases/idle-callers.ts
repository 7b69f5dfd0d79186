import type { CallerCache } from '../callers/caller-cache.ts';
import { type Holder, isAtRest } from '../callers/holder.ts';
import { type Owner, returnedShare } from '../callers/share.ts';
import type { ChargeWriter } from '../charges/charge-writer.ts';
import type { LeaseService } from './lease-service.ts';

export interface IdleTimes {
  readonly lookEveryMs: number;
  /** So long at rest, and others may have the points. */
  readonly giveBackAfterMs: number;
  /** So long, and it is not remembered any more. */
  readonly forgetAfterMs: number;
}

const idleTimes: IdleTimes = { lookEveryMs: 1000, giveBackAfterMs: 10_000, forgetAfterMs: 600_000 };

/** How many users, and how many tokens, are looked at each time: what that takes does not grow with those who are remembered. */
const mostLooks = 20_000;
/** How many of them are given back with one statement. */
const mostGiven = 1000;

interface IdleCallersDependencies {
  readonly callers: CallerCache;
  /** Undefined where one process has all quota to itself. */
  readonly leases: LeaseService | undefined;
  readonly writer: ChargeWriter;
  readonly hasOthers: () => boolean;
  readonly onFailure: (error: unknown) => void;
  readonly times?: IdleTimes | undefined;
}

/**
 * Gives back the points of users and tokens that nobody uses, where there are other nodes, and forgets those that nobody used for
 * long. Both between charges, as everything is leased and read there: nobody is being read meanwhile. A request that was let in
 * before finds that nothing may be spent of what it has at hand.
 */
export class IdleCallers {
  readonly #dependencies: IdleCallersDependencies;
  readonly #times: IdleTimes;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(dependencies: IdleCallersDependencies) {
    this.#dependencies = dependencies;
    this.#times = dependencies.times ?? idleTimes;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look(performance.now())
        .catch(this.#dependencies.onFailure)
        .finally(() => {
          this.#looking = undefined;
          if (this.#timer !== undefined) this.start();
        });
    }, this.#times.lookEveryMs).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  async #look(now: number): Promise<void> {
    const { callers, leases, writer } = this.#dependencies;
    const { memory } = callers;
    const given: Owner[] = [];
    const forgotten: Owner[] = [];
    for (const { owner, holder } of memory.next(mostLooks)) {
      if (!hasRested(holder, now)) continue;
      if (this.#isToForget(holder, now)) forgotten.push(owner);
      if (this.#isToGiveBack(holder, now) && given.length < mostGiven) given.push(owner);
    }
    const isInDoubt = leases?.node !== undefined && leases.ownersInDoubt.length > 0;
    if (given.length + forgotten.length === 0 && !isInDoubt) return;
    await writer.readBetween(async () => {
      if (leases) await this.#giveBack(leases, given);
      for (const owner of forgotten) {
        const holder = memory.holder(owner);
        const isLeased = holder !== undefined && (holder.share.node > 0 || leases?.isInDoubt(owner) === true);
        if (holder && isAtRest(holder) && !isLeased) callers.forget(owner);
      }
    });
  }

  #isToForget({ idleSince }: Holder, now: number): boolean {
    const { giveBackAfterMs, forgetAfterMs } = this.#times;
    return now - idleSince >= (this.#dependencies.callers.memory.isFull ? giveBackAfterMs : forgetAfterMs);
  }

  /** One node alone has no use for it before it forgets the owner. */
  #isToGiveBack(holder: Holder, now: number): boolean {
    if (this.#dependencies.leases?.node === undefined || holder.share.node <= 0) return false;
    const isWorthIt = this.#dependencies.hasOthers() && now - holder.idleSince >= this.#times.giveBackAfterMs;
    return isWorthIt || this.#isToForget(holder, now);
  }

  /** Also what is in doubt: a connection that broke, or a row that was locked. */
  async #giveBack(leases: LeaseService, given: readonly Owner[]): Promise<void> {
    const { callers } = this.#dependencies;
    const { memory } = callers;
    const owners = new Map<string, Owner>();
    for (const owner of [...leases.ownersInDoubt.slice(0, mostGiven), ...given]) {
      // What is left of a budget is given to who asks for it.
      if (owner.kind === 'budget' && callers.holder(owner)) continue;
      const holder = memory.holder(owner);
      if (holder && !isAtRest(holder)) continue;
      if (holder) {
        // Before the others may count on it.
        holder.share = returnedShare;
        holder.account.reload(0);
      }
      owners.set(`${owner.kind}:${owner.id}`, owner);
    }
    if (owners.size > 0) await leases.giveBack([...owners.values()]);
  }
}

/** Whether it is at rest since an earlier look; else its rest begins now. */
function hasRested(holder: Holder, now: number): boolean {
  if (isAtRest(holder)) return true;
  holder.isUsed = false;
  holder.idleSince = now;
  return false;
}
