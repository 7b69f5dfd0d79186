import { Account, Reservation } from '../../packages/relay/src/index.ts';
import { pointsAfterLease, pointsToRelease } from '../../packages/server/src/relay/callers/point-holder.ts';
import {
  searchCooldownMs,
  searchIntervalMs,
  searchTimeoutMs,
} from '../../packages/server/src/relay/leases/lease-exchange.ts';
import { leaseExpiryMs } from '../../packages/server/src/relay/leases/lease-times.ts';
import type { EventQueue } from './event-queue.ts';
import type { LeasedShare, SimulatedDatabase } from './simulated-database.ts';
import { SimulatedWriter } from './simulated-writer.ts';

export interface SimulatedRequest {
  readonly user: number;
  /** Reserved points, and the final cost. */
  readonly held: number;
  readonly cost: number;
  readonly lastsMs: number;
}

interface Holder {
  readonly account: Account;
  share: LeasedShare;
  /** Requests waiting for points. */
  waiting: { request: SimulatedRequest; since: number }[];
  isSearching: boolean;
  /** While no points are available, no new request for points is sent before this time. */
  dryUntil: number;
  /** Ends the wait for a response. */
  respond: (() => void) | undefined;
}

interface NodeDependencies {
  readonly events: EventQueue;
  readonly database: SimulatedDatabase;
  /** Milliseconds of a database round trip. */
  readonly roundTrip: () => number;
  /** Broadcasts to all nodes. */
  readonly notify: (notice: (node: SimulatedNode) => void) => void;
}

/** Begin, lock the row, read it, read the leases, write this node's lease, commit. */
const tripsOfLease = 6;
const statementMs = 0.4;
const chargeMs = 0.011;

/** A node that leases points of users, spends them in memory, and requests more from other nodes when they run out. */
export class SimulatedNode {
  readonly id: number;
  readonly counts = { served: 0, rejected: 0, lost: 0, charged: 0 };
  readonly holders = new Map<number, Holder>();
  readonly #dependencies: NodeDependencies;
  readonly #writer: SimulatedWriter;
  #inFlight = 0;

  constructor(id: number, dependencies: NodeDependencies) {
    this.id = id;
    this.#dependencies = dependencies;
    const { events, database, roundTrip } = dependencies;
    this.#writer = new SimulatedWriter({
      events,
      store: (jobs) => {
        database.store(jobs);
        for (const { cost } of jobs) this.counts.charged += cost;
      },
      storeMs: (jobs) => roundTrip() + statementMs + jobs.length * chargeMs,
    });
  }

  get isGone(): boolean {
    return this.#writer.isGone;
  }

  /** Stops immediately, losing in-flight requests. */
  kill(): void {
    this.#writer.isGone = true;
    this.counts.lost += this.#inFlight;
  }

  serve(request: SimulatedRequest): void {
    this.#inFlight += 1;
    const holder = this.holders.get(request.user);
    if (holder) this.#begin(holder, request);
    else this.#lease(request.user, (leased) => this.#begin(leased, request));
  }

  #begin(holder: Holder, request: SimulatedRequest): void {
    const reservation = Reservation.open({ user: holder.account, token: undefined }, request.held);
    if (typeof reservation !== 'string') this.#run(holder, request, reservation);
    else if (holder.share.elsewhere === 0 || holder.dryUntil > this.#dependencies.events.now) this.#reject();
    else this.#wait(holder, request);
  }

  #run({ account }: Holder, { user, cost, lastsMs }: SimulatedRequest, reservation: Reservation): void {
    this.#dependencies.events.after(lastsMs, () => {
      if (this.isGone) return;
      reservation.settle(cost);
      this.#writer.write({
        user,
        cost,
        done: () => {
          account.stored(cost);
          this.#inFlight -= 1;
          this.counts.served += 1;
        },
      });
    });
  }

  #reject(): void {
    this.#inFlight -= 1;
    this.counts.rejected += 1;
  }

  /** Reads the user's balance and leases the part that no other node has. */
  #lease(user: number, then: (holder: Holder) => void): void {
    const { events, database, roundTrip } = this.#dependencies;
    this.#writer.readBetween((over) => {
      const duration = database.lockedFor(user, tripsOfLease * roundTrip());
      events.after(duration, () => {
        if (this.isGone) return;
        const known = this.holders.get(user);
        const remaining = known ? known.account.balance + known.account.unstored : 0;
        const share = database.take(user, this.id, remaining);
        if (known) known.account.reload(pointsAfterLease(share, known.account, true));
        const holder = known ?? this.#newHolder(user, share);
        holder.share = share;
        over();
        then(holder);
      });
    });
  }

  #newHolder(user: number, share: LeasedShare): Holder {
    const account = new Account(share.points);
    const holder: Holder = { account, share, waiting: [], isSearching: false, dryUntil: 0, respond: undefined };
    this.holders.set(user, holder);
    return holder;
  }

  #wait(holder: Holder, request: SimulatedRequest): void {
    holder.waiting.push({ request, since: this.#dependencies.events.now });
    if (holder.isSearching) return;
    holder.isSearching = true;
    this.#search(holder, request.user);
  }

  #search(holder: Holder, user: number): void {
    const { events, notify } = this.#dependencies;
    this.#lease(user, () => {
      this.#serveWaiting(holder);
      const [first] = holder.waiting;
      if (!first) {
        holder.isSearching = false;
        return;
      }
      const searchAgain = () => {
        if (holder.respond !== searchAgain || this.isGone) return;
        holder.respond = undefined;
        this.#search(holder, user);
      };
      holder.respond = searchAgain;
      events.after(searchIntervalMs, searchAgain);
      notify((node) => node.#give(user, first.request.held, this.id));
    });
  }

  /** Serves waiting requests that fit; rejects those that waited too long or for which no points are left. */
  #serveWaiting(holder: Holder): void {
    const { now } = this.#dependencies.events;
    const { waiting, share } = holder;
    holder.waiting = [];
    const timeoutMs = share.awaited ? leaseExpiryMs + 1000 : searchTimeoutMs;
    for (const each of waiting) {
      const reservation = Reservation.open({ user: holder.account, token: undefined }, each.request.held);
      if (typeof reservation !== 'string') this.#run(holder, each.request, reservation);
      else if (share.elsewhere === 0) this.#reject();
      else if (now - each.since >= timeoutMs) {
        holder.dryUntil = now + searchCooldownMs;
        this.#reject();
      } else holder.waiting.push(each);
    }
  }

  /** Handles a request for points from another node: reduces this node's lease, stores it, and broadcasts it. */
  #give(user: number, wanted: number, asking: number): void {
    if (this.isGone || this.id === asking) return;
    const { events, database, roundTrip, notify } = this.#dependencies;
    const holder = this.holders.get(user);
    if (!holder) return;
    this.#writer.readBetween((over) => {
      const given = pointsToRelease(holder.account.free, wanted);
      const kept = holder.account.balance + holder.account.unstored - given;
      if (given === 0 && kept === holder.share.leased) {
        over();
        return;
      }
      holder.account.reload(kept);
      const elsewhere = Math.max(1, holder.share.elsewhere + given);
      holder.share = { ...holder.share, points: kept, leased: kept, elsewhere };
      events.after(database.lockedFor(user, tripsOfLease * roundTrip()), () => {
        if (this.isGone) return;
        if (database.keep(user, this.id, kept)) notify((node) => node.holders.get(user)?.respond?.());
        over();
      });
    });
  }
}
