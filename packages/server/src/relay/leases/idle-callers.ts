import type { CallerCache } from '../callers/caller-cache.ts';
import { isHolderIdle, type PointHolder, type PointOwner, returnedShare } from '../callers/point-holder.ts';
import type { ChargeWriter } from '../charges/charge-writer.ts';
import type { LeaseService } from './lease-service.ts';

export interface IdleTimeouts {
  readonly checkEveryMs: number;
  /** Idle time after which the points are returned. */
  readonly returnAfterMs: number;
  /** Idle time after which the caller is evicted from the cache. */
  readonly evictAfterMs: number;
}

const idleTimes: IdleTimeouts = { checkEveryMs: 1000, returnAfterMs: 10_000, evictAfterMs: 600_000 };

/** Users and tokens checked per run, so that its cost does not grow with the size of the cache. */
const maxChecksPerRun = 20_000;
/** Leases returned per statement. */
const maxReturnedPerStatement = 1000;

interface IdleCallersDependencies {
  readonly callers: CallerCache;
  /** Undefined if a single process owns all quota. */
  readonly leases: LeaseService | undefined;
  readonly writer: ChargeWriter;
  readonly hasOthers: () => boolean;
  readonly onFailure: (error: unknown) => void;
  readonly times?: IdleTimeouts | undefined;
}

/**
 * While there are other nodes, returns the points of idle users and tokens; evicts callers that have been idle for
 * long. Both happen between charges, like leasing and reading, so that no caller is being read at that time. A request
 * that was admitted before its entry was evicted finds the entry marked as not chargeable.
 */
export class IdleCallers {
  readonly #dependencies: IdleCallersDependencies;
  readonly #times: IdleTimeouts;
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
    }, this.#times.checkEveryMs).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  async #look(now: number): Promise<void> {
    const { callers, leases, writer } = this.#dependencies;
    const { memory } = callers;
    const given: PointOwner[] = [];
    const forgotten: PointOwner[] = [];
    for (const { owner, holder } of memory.next(maxChecksPerRun)) {
      if (!wasAlreadyIdle(holder, now)) continue;
      if (this.#isToForget(holder, now)) forgotten.push(owner);
      if (this.#isToGiveBack(holder, now) && given.length < maxReturnedPerStatement) given.push(owner);
    }
    const isInDoubt = leases?.node !== undefined && leases.ownersInDoubt.length > 0;
    if (given.length + forgotten.length === 0 && !isInDoubt) return;
    await writer.readBetween(async () => {
      if (leases) await this.#giveBack(leases, given);
      for (const owner of forgotten) {
        const holder = memory.holder(owner);
        const isLeased = holder !== undefined && (holder.share.node > 0 || leases?.isInDoubt(owner) === true);
        if (holder && isHolderIdle(holder) && !isLeased) callers.forget(owner);
      }
    });
  }

  #isToForget({ idleSince }: PointHolder, now: number): boolean {
    const { returnAfterMs, evictAfterMs } = this.#times;
    return now - idleSince >= (this.#dependencies.callers.memory.isFull ? returnAfterMs : evictAfterMs);
  }

  /** With a single node, points are only returned on eviction. */
  #isToGiveBack(holder: PointHolder, now: number): boolean {
    if (this.#dependencies.leases?.node === undefined || holder.share.node <= 0) return false;
    const isWorthIt = this.#dependencies.hasOthers() && now - holder.idleSince >= this.#times.returnAfterMs;
    return isWorthIt || this.#isToForget(holder, now);
  }

  /** Also returns leases whose state is unknown after a broken connection or a locked row. */
  async #giveBack(leases: LeaseService, given: readonly PointOwner[]): Promise<void> {
    const { callers } = this.#dependencies;
    const { memory } = callers;
    const owners = new Map<string, PointOwner>();
    for (const owner of [...leases.ownersInDoubt.slice(0, maxReturnedPerStatement), ...given]) {
      // The remaining points of a cached budget are released on request instead.
      if (owner.kind === 'budget' && callers.holder(owner)) continue;
      const holder = memory.holder(owner);
      if (holder && !isHolderIdle(holder)) continue;
      if (holder) {
        // Must be set before other nodes can use the points.
        holder.share = returnedShare;
        holder.account.reload(0);
      }
      owners.set(`${owner.kind}:${owner.id}`, owner);
    }
    if (owners.size > 0) await leases.returnLeases([...owners.values()]);
  }
}

/** True if the caller was already idle at an earlier check; otherwise its idle time starts now. */
function wasAlreadyIdle(holder: PointHolder, now: number): boolean {
  if (isHolderIdle(holder)) return true;
  holder.wasUsed = false;
  holder.idleSince = now;
  return false;
}
