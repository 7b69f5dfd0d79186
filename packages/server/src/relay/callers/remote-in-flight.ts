import { BatchedBroadcast, countSchema } from '../../platform/broadcasts/batched-broadcast.ts';
import type { Broadcasts } from '../../platform/broadcasts/broadcasts.ts';

const resendEveryMs = 2000;
/** A node without messages for this long has no in-flight requests or has stopped. */
const silentNodeExpiryMs = 6000;

interface Node {
  receivedAt: number;
  readonly counts: Map<number, number>;
}

/**
 * In-flight requests per user or token on other nodes. Each node broadcasts changes four times a second and its full
 * state every two seconds.
 */
export class RemoteInFlight {
  readonly #broadcast: BatchedBroadcast<number, number>;
  /** In-flight requests on this node. */
  readonly #own = new Map<number, number>();
  readonly #nodes = new Map<string, Node>();
  readonly #totals = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(broadcasts: Broadcasts, owners: 'users' | 'tokens') {
    this.#broadcast = new BatchedBroadcast<number, number>(
      broadcasts,
      { topic: `under-way-${owners}`, value: countSchema },
      (owner, count, from) => this.#receive(owner, count, from),
    );
  }

  of(owner: number): number {
    return this.#totals.size === 0 ? 0 : (this.#totals.get(owner) ?? 0);
  }

  /** Announces a count to the other nodes; counts below a tenth of the limit are not broadcast. */
  notify(owner: number, count: number, limit: number): void {
    const isReported = count * 10 >= limit && count > 0;
    if (!isReported && !this.#own.has(owner)) return;
    if (isReported) this.#own.set(owner, count);
    else this.#own.delete(owner);
    this.#broadcast.put(owner, isReported ? count : 0);
    this.#scheduleTick();
  }

  #receive(owner: number, count: number, from: string): void {
    const node = this.#nodes.get(from) ?? { receivedAt: 0, counts: new Map<number, number>() };
    node.receivedAt = performance.now();
    this.#nodes.set(from, node);
    this.#set(node, owner, count);
    this.#scheduleTick();
  }

  #set({ counts }: Node, owner: number, count: number): void {
    const total = (this.#totals.get(owner) ?? 0) + count - (counts.get(owner) ?? 0);
    if (count > 0) counts.set(owner, count);
    else counts.delete(owner);
    if (total > 0) this.#totals.set(owner, total);
    else this.#totals.delete(owner);
  }

  #scheduleTick(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tick();
    }, resendEveryMs).unref();
  }

  #tick(): void {
    for (const [owner, count] of this.#own) this.#broadcast.put(owner, count);
    const before = performance.now() - silentNodeExpiryMs;
    for (const [id, node] of this.#nodes) {
      if (node.receivedAt > before) continue;
      this.#nodes.delete(id);
      for (const owner of [...node.counts.keys()]) this.#set(node, owner, 0);
    }
    if (this.#own.size + this.#nodes.size > 0) this.#scheduleTick();
  }
}

export interface RemoteInFlightCounts {
  readonly users: RemoteInFlight;
  readonly tokens: RemoteInFlight;
}

export const createRemoteInFlight = (broadcasts: Broadcasts): RemoteInFlightCounts => ({
  users: new RemoteInFlight(broadcasts, 'users'),
  tokens: new RemoteInFlight(broadcasts, 'tokens'),
});
