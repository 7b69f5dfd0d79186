import { leaseSize } from '../../packages/server/src/relay/callers/point-holder.ts';
import { leaseExpiryMs } from '../../packages/server/src/relay/leases/lease-times.ts';
import type { EventQueue } from './event-queue.ts';

/** CPU milliseconds of PostgreSQL, as measured: see docs/scale.md. */
const price = { group: 0.4, charge: 0.011, leaseTransaction: 0.5, notice: 0.05, delivery: 0.02 } as const;

export interface LeasedShare {
  readonly points: number;
  readonly leased: number;
  readonly elsewhere: number;
  /** True if an unresponsive node holds points that will soon be returned. */
  readonly awaited: boolean;
}

interface Charge {
  readonly user: number;
  readonly cost: number;
}

/** Shared state of the nodes: user balances, leases, and a row lock per user. */
export class SimulatedDatabase {
  readonly stored: Float64Array;
  readonly leases = new Map<number, Map<number, number>>();
  readonly counts = { groups: 0, charges: 0, leaseTransactions: 0, notices: 0, deliveries: 0, lockWaits: 0 };
  readonly #events: EventQueue;
  readonly #lockedUntil = new Map<number, number>();
  readonly #silent: ReadonlySet<number>;
  /** When a node first found another one unresponsive. */
  readonly #silentSince = new Map<number, number>();

  constructor(events: EventQueue, stored: Float64Array, silent: ReadonlySet<number>) {
    this.#events = events;
    this.stored = stored;
    this.#silent = silent;
  }

  /** CPU time of PostgreSQL. */
  get busyMs(): number {
    const { groups, charges, leaseTransactions, notices, deliveries } = this.counts;
    return (
      groups * price.group +
      charges * price.charge +
      leaseTransactions * price.leaseTransaction +
      notices * price.notice +
      deliveries * price.delivery
    );
  }

  /** Stores a batch of charges; no user may spend more than the balance. */
  store(charges: readonly Charge[]): void {
    this.counts.groups += 1;
    this.counts.charges += charges.length;
    for (const { user, cost } of charges) {
      const left = (this.stored[user] ?? 0) - cost;
      if (left < 0) throw new Error(`User ${user} spent ${-left} points more than the balance.`);
      this.stored[user] = left;
    }
  }

  /** When a transaction of this duration that locks the user's row ends. */
  lockedFor(user: number, milliseconds: number): number {
    const { now } = this.#events;
    const free = this.#lockedUntil.get(user) ?? 0;
    if (free > now) this.counts.lockWaits += 1;
    const end = Math.max(free, now) + milliseconds;
    this.#lockedUntil.set(user, end);
    this.counts.leaseTransactions += 1;
    return end - now;
  }

  take(user: number, node: number, remaining: number): LeasedShare {
    const all = this.leases.get(user) ?? new Map<number, number>();
    this.leases.set(user, all);
    let [elsewhere, awaited] = [0, false];
    for (const [other, points] of all) {
      if (other === node) continue;
      if (this.#isGone(other)) all.delete(other);
      else {
        elsewhere += points;
        awaited ||= this.#silent.has(other);
      }
    }
    const { points, leased } = leaseSize(this.stored[user] ?? 0, elsewhere, remaining);
    all.set(node, leased);
    return { points, leased, elsewhere, awaited };
  }

  /** Sets a node's lease. Returns whether it changed. */
  keep(user: number, node: number, points: number): boolean {
    const all = this.leases.get(user);
    if (points > 0) all?.set(node, points);
    else if (!all?.delete(node)) return false;
    return true;
  }

  /** Returns all leases of a node that has shut down or stopped responding. */
  dropAllOf(node: number): void {
    for (const [user, all] of this.leases) {
      all.delete(node);
      if (all.size === 0) this.leases.delete(user);
    }
  }

  notify(listeners: number): void {
    this.counts.notices += 1;
    this.counts.deliveries += listeners;
  }

  #isGone(node: number): boolean {
    if (!this.#silent.has(node)) return false;
    const { now } = this.#events;
    const since = this.#silentSince.get(node) ?? now;
    this.#silentSince.set(node, since);
    return now - since >= leaseExpiryMs;
  }
}
