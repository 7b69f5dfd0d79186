import type { InTransaction } from '../../platform/db/transaction.ts';
import { leaseSize, type PointOwner, type Remainder, type Share } from '../callers/point-holder.ts';
import type { LeaseRepository } from './lease-repository.ts';
import { leaseExpiryMs } from './lease-times.ts';

/** This node's id while it is connected, and its former ids. */
interface ConnectedNode {
  readonly node: number | undefined;
  readonly former: ReadonlySet<number>;
}

interface LeaseServiceDependencies {
  readonly leases: LeaseRepository;
  readonly inTransaction: InTransaction;
  readonly touch: ConnectedNode;
}

/**
 * Leases for several nodes on one database: each node may spend the points it has leased, and the leases never exceed
 * the owner's points. A lease is not reduced with each charge, because that would take a statement. It may therefore
 * exceed the remaining points, which only makes other nodes more cautious.
 */
export class LeaseService {
  readonly #dependencies: LeaseServiceDependencies;
  /** Time at which each node was first seen unresponsive. */
  readonly #silentSince = new Map<number, number>();

  /** Owners whose points this node may have leased without receiving confirmation. */
  readonly #inDoubt = new Map<string, PointOwner>();

  constructor(dependencies: LeaseServiceDependencies) {
    this.#dependencies = dependencies;
  }

  get node(): number | undefined {
    return this.#dependencies.touch.node;
  }

  /** Leases all points that no other live node has. Call only while this node is not storing charges. */
  async take(owner: PointOwner, remainder?: Remainder): Promise<Share | undefined> {
    const { leases, inTransaction, touch } = this.#dependencies;
    const { node } = touch;
    if (node === undefined) return undefined;
    this.#inDoubt.set(nameOf(owner), owner);
    const share = await inTransaction(async (transaction) => {
      const rows = leases.within(transaction);
      const stored = await rows.locked(owner);
      const others = await rows.others(owner, node);
      const isGone = (other: (typeof others)[number]) =>
        touch.former.has(other.node) || (other.is_silent && this.#isGone(other.node));
      await rows.drop(
        owner,
        others.filter(isGone).map((other) => other.node),
      );
      const elsewhere = others.reduce((sum, other) => sum + (isGone(other) ? 0 : other.points), 0);
      const { points, leased } = leaseSize(stored, elsewhere, remainder?.node === node ? remainder.points : 0);
      await rows.set(owner, node, leased);
      const awaited = others.some((other) => other.is_silent && !isGone(other));
      return { points, leased, elsewhere, isReleaseDue: awaited, node };
    });
    this.#inDoubt.delete(nameOf(owner));
    return share;
  }

  /** True if other nodes may count points as leased by this node that it has no record of. */
  isInDoubt(owner: PointOwner): boolean {
    return this.#inDoubt.has(nameOf(owner));
  }

  /** Read only while nothing is being leased. */
  get ownersInDoubt(): readonly PointOwner[] {
    return [...this.#inDoubt.values()];
  }

  /**
   * Returns all leases of these owners. Call only while this node is neither storing nor leasing, and after the last
   * spending. The state of owners whose rows are locked remains unknown.
   */
  async returnLeases(owners: readonly PointOwner[]): Promise<void> {
    const { leases, touch } = this.#dependencies;
    for (const owner of owners) this.#inDoubt.set(nameOf(owner), owner);
    for (const [kind, of] of Map.groupBy(owners, (owner) => owner.kind)) {
      const ids = of.map(({ id }) => id);
      for (const id of await leases.giveBack(kind, ids, [...touch.former])) this.#inDoubt.delete(nameOf({ kind, id }));
    }
  }

  /** Requests points from the other nodes. */
  async ask({ kind, id }: PointOwner, points: number): Promise<void> {
    const { inTransaction, touch } = this.#dependencies;
    await inTransaction(async (transaction) => transaction.changed(`wanted:${kind}:${id}:${points}:${touch.node}`));
  }

  /** Reduces the lease to this many points and notifies waiting nodes. */
  async reduceTo(owner: PointOwner, points: number): Promise<void> {
    const { leases, inTransaction, touch } = this.#dependencies;
    const { node } = touch;
    if (node === undefined) return;
    await inTransaction(async (transaction) => {
      const rows = leases.within(transaction);
      await rows.lock(owner);
      if (points > 0) await rows.set(owner, node, points);
      else if (!(await rows.drop(owner, [node]))) return;
      transaction.changed(`given:${owner.kind}:${owner.id}`);
    });
    if (points === 0) this.#inDoubt.delete(nameOf(owner));
  }

  /**
   * Releases the points of frozen nodes by terminating their lock connections. A node that was only slow reconnects
   * and keeps its leases.
   */
  freeLocksOfSilentNodes(): Promise<void> {
    return this.#dependencies.leases.freeLocksOfSilentNodes();
  }

  /** Drops the leases of dead nodes. The next request of an owner would do the same, but it may never come. */
  async dropLeasesOfGoneNodes(): Promise<void> {
    const { leases } = this.#dependencies;
    for (const node of await leases.silentNodes()) if (this.#isGone(node)) await leases.dropAllOf(node);
  }

  /** Skips a node that is only unresponsive: it may reconnect soon with requests that reserve from its leases. */
  #isGone(node: number): boolean {
    const now = performance.now();
    const since = this.#silentSince.get(node) ?? now;
    this.#silentSince.set(node, since);
    return now - since >= leaseExpiryMs;
  }

  /** Returns all leases; nothing may be spent afterwards. */
  async close(): Promise<void> {
    if (this.node !== undefined) await this.#dependencies.leases.dropAllOf(this.node);
  }
}

const nameOf = ({ kind, id }: PointOwner): string => `${kind}:${id}`;
