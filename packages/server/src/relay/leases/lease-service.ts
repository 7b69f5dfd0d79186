import type { InTransaction } from '../../platform/db/transaction.ts';
import type { Owner, Remainder, Share } from '../callers/share.ts';
import { leaseOf } from '../callers/share-rules.ts';
import type { LeaseRepository } from './lease-repository.ts';
import { returnedAfterMs } from './lease-times.ts';

/** Whether, and under which number, this node is in touch with the others. */
interface InTouch {
  readonly node: number | undefined;
  readonly former: ReadonlySet<number>;
}

interface LeaseServiceDependencies {
  readonly leases: LeaseRepository;
  readonly inTransaction: InTransaction;
  readonly touch: InTouch;
}

/**
 * Several nodes on one database: each may spend what it has leased, and the leases on an owner's points never add up to
 * more than there are. A lease is not made smaller with each charge, which would cost a statement; it then says more
 * than is left of it, and the others only count on less.
 */
export class LeaseService {
  readonly #dependencies: LeaseServiceDependencies;
  /** When a node was first seen to be silent. */
  readonly #silentSince = new Map<number, number>();

  /** Owners of whom this node may have leased something without having heard so. */
  readonly #inDoubt = new Map<string, Owner>();

  constructor(dependencies: LeaseServiceDependencies) {
    this.#dependencies = dependencies;
  }

  get node(): number | undefined {
    return this.#dependencies.touch.node;
  }

  /** Leases all that no other living node has. To be called while nothing of this node is being stored. */
  async take(owner: Owner, remainder?: Remainder): Promise<Share | undefined> {
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
      const { points, leased } = leaseOf(stored, elsewhere, remainder?.node === node ? remainder.points : 0);
      await rows.set(owner, node, leased);
      const awaited = others.some((other) => other.is_silent && !isGone(other));
      return { points, leased, elsewhere, awaited, node };
    });
    this.#inDoubt.delete(nameOf(owner));
    return share;
  }

  /** Whether the others may count something of it as this node's that nobody here knows of. */
  isInDoubt(owner: Owner): boolean {
    return this.#inDoubt.has(nameOf(owner));
  }

  /** To be asked for while nothing is being leased. */
  get ownersInDoubt(): readonly Owner[] {
    return [...this.#inDoubt.values()];
  }

  /**
   * Gives back all that this node has of them. To be called while nothing of this node is being stored or leased, and after the
   * last point was spent of it. Of those whose rows somebody else has locked it stays in doubt.
   */
  async giveBack(owners: readonly Owner[]): Promise<void> {
    const { leases, touch } = this.#dependencies;
    for (const owner of owners) this.#inDoubt.set(nameOf(owner), owner);
    for (const [kind, of] of Map.groupBy(owners, (owner) => owner.kind)) {
      const ids = of.map(({ id }) => id);
      for (const id of await leases.giveBack(kind, ids, [...touch.former])) this.#inDoubt.delete(nameOf({ kind, id }));
    }
  }

  /** Asks the other nodes to give some of theirs. */
  async ask({ kind, id }: Owner, points: number): Promise<void> {
    const { inTransaction, touch } = this.#dependencies;
    await inTransaction(async (transaction) => transaction.changed(`wanted:${kind}:${id}:${points}:${touch.node}`));
  }

  /** Keeps no more than this; whoever waits for the rest is told. */
  async keep(owner: Owner, points: number): Promise<void> {
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
   * Ends what keeps the points of frozen nodes: their locks are free now, and what they had leased before long. A node that was
   * only slow loses its connection by it, and comes back with its leases.
   */
  freeLocksOfSilentNodes(): Promise<void> {
    return this.#dependencies.leases.freeLocksOfSilentNodes();
  }

  /** Drops what nodes had that are gone. The next request of an owner would do so too, but may never come. */
  async dropLeasesOfGoneNodes(): Promise<void> {
    const { leases } = this.#dependencies;
    for (const node of await leases.silentNodes()) if (this.#isGone(node)) await leases.dropAllOf(node);
  }

  /** One that is silent may be back before long, with requests that hold what it leased. */
  #isGone(node: number): boolean {
    const now = performance.now();
    const since = this.#silentSince.get(node) ?? now;
    this.#silentSince.set(node, since);
    return now - since >= returnedAfterMs;
  }

  /** Gives everything back; nothing may be spent any more. */
  async close(): Promise<void> {
    if (this.node !== undefined) await this.#dependencies.leases.dropAllOf(this.node);
  }
}

const nameOf = ({ kind, id }: Owner): string => `${kind}:${id}`;
