import { type CounterKey, counterMeasure, LimitCounters } from '../../relay/limit-counters/limit-counters.ts';
import { LimitExchange } from '../../relay/limit-counters/limit-exchange.ts';
import type { LimitMessage } from '../../relay/limit-counters/limit-messages.ts';

interface Timer {
  readonly at: number;
  readonly work: () => void;
}

/** An admitted request. */
export interface AdmittedRequest {
  readonly node: LimitNode;
  readonly at: number;
  amount: number;
}

/** Nodes that share limits without a network, a database or a real clock; the test controls everything. */
export class LimitCluster {
  now = 1_000_000;
  readonly sent: { readonly from: string; readonly news: LimitMessage }[] = [];
  readonly nodes: LimitNode[] = [];
  readonly letIn: AdmittedRequest[] = [];
  #timers: Timer[] = [];

  join(): LimitNode {
    const node = new LimitNode(this, `node${this.nodes.length}`);
    this.nodes.push(node);
    if (this.nodes.length > 1) node.exchange.lost();
    return node;
  }

  later(ms: number, work: () => void): void {
    this.#timers.push({ at: this.now + ms, work });
  }

  /** Advances time; timers fire in order. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      const next = this.#timers.reduce<Timer | undefined>(
        (first, timer) => (timer.at <= end && (!first || timer.at < first.at) ? timer : first),
        undefined,
      );
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.now = Math.max(this.now, next.at);
      next.work();
      await settled();
    }
    this.now = end;
  }

  /** Delivers all messages until none are left. */
  async deliverAll(): Promise<void> {
    let isNew = true;
    while (isNew) {
      isNew = false;
      for (const node of this.nodes) while (node.deliverOne()) isNew = true;
      await settled();
    }
  }

  /** Amount admitted within a window that ends now. */
  total(windowMs: number): number {
    return this.letIn.reduce((sum, { at, amount }) => (at > this.now - windowMs ? sum + amount : sum), 0);
  }
}

/** Lets settled promises run their handlers. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

export class LimitNode {
  readonly #world: LimitCluster;
  readonly id: string;
  readonly counters = new LimitCounters();
  readonly exchange: LimitExchange;
  isDown = false;
  #received: number;

  constructor(world: LimitCluster, id: string) {
    this.#world = world;
    this.id = id;
    this.#received = world.sent.length;
    const isDown = () => this.isDown;
    this.exchange = new LimitExchange({
      counters: this.counters,
      now: () => world.now,
      later: (ms, work) => world.later(ms, work),
      bus: {
        id,
        get hasOthers() {
          return world.nodes.length > 1;
        },
        send: (message) => {
          if (!isDown()) world.sent.push({ from: id, news: structuredClone(message) });
        },
      },
    });
  }

  /** Delivers the next message; returns false if there is none. */
  deliverOne(): boolean {
    const next = this.#world.sent[this.#received];
    if (this.isDown || !next) return false;
    this.#received += 1;
    if (next.from === this.id) this.exchange.receiveOwn(next.news);
    else this.exchange.receive(next.news, next.from);
    return true;
  }

  /** Reconnects the node. Messages sent while it was disconnected are lost. */
  return(): void {
    this.isDown = false;
    this.#received = this.#world.sent.length;
    this.exchange.lost();
  }

  /**
   * Admits an amount as a request would, if it is within the limit known to this node. Resolves to the admitted
   * request.
   */
  async ask(key: CounterKey, amount: number, limit: number): Promise<AdmittedRequest | undefined> {
    const measure = counterMeasure(key);
    const at = this.#world.now;
    const counter = measure && this.counters.get(key, measure, at);
    if (!counter || counter.total(at) + amount > limit) return undefined;
    const taken = this.exchange.take(key, counter, amount, limit);
    if (!(taken instanceof Promise ? await taken : taken)) return undefined;
    const letIn: AdmittedRequest = { node: this, at, amount };
    this.#world.letIn.push(letIn);
    return letIn;
  }

  /** Replaces the reserved amount with the actual usage. */
  correct(key: CounterKey, letIn: AdmittedRequest, used: number): void {
    const measure = counterMeasure(key);
    if (!measure) return;
    const counter = this.counters.get(key, measure, this.#world.now);
    this.exchange.correct(key, counter, used - letIn.amount, letIn.at);
    letIn.amount = used;
  }
}
