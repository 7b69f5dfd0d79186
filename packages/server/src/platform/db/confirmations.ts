import type { ChangeAnnouncement } from './await-confirmation.ts';

/** A node that is believed to serve requests. */
export interface LiveNode {
  readonly id: string;
  readonly name: string;
  /** True if the node recently reported that it is alive; nodes that are frozen or disconnected are not waited for. */
  readonly is_fresh: boolean;
}

interface Waiting {
  readonly missing: Map<string, LiveNode>;
  readonly confirmed: PromiseWithResolvers<void>;
  readonly since: number;
  isLate: boolean;
}

interface ConfirmationEvents {
  /** Called with nodes that have not confirmed a change in time. */
  readonly late: (ids: readonly string[]) => void;
  /** Called when a late node confirms the change. */
  readonly caughtUp: (id: string) => void;
}

/** Default time to wait for confirmation by other nodes. */
const defaultTimeoutMs = 1000;
/** Changes that are still unconfirmed after this time are dropped. */
const rememberedMs = 600_000;

/** Tracks which changes of this node the others have confirmed. */
export class Confirmations {
  readonly #self: string;
  readonly #events: ConfirmationEvents;
  readonly #patienceMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  /** `self` is the id of this node. */
  constructor(self: string, events: ConfirmationEvents, patienceMs = defaultTimeoutMs) {
    this.#self = self;
    this.#events = events;
    this.#patienceMs = patienceMs;
  }

  /** Number of the next change. */
  next(): number {
    this.#last += 1;
    return this.#last;
  }

  expect(number: number, nodes: readonly LiveNode[]): ChangeAnnouncement {
    this.#dropOld();
    const waiting: Waiting = {
      missing: new Map(nodes.map((node) => [node.id, node])),
      confirmed: Promise.withResolvers(),
      since: performance.now(),
      isLate: false,
    };
    this.#waiting.set(number, waiting);
    return {
      applied: () => this.confirm(number, this.#self),
      unconfirmed: () => this.#unconfirmed(waiting),
      forget: () => void this.#waiting.delete(number),
    };
  }

  confirm(number: number, id: string): void {
    const waiting = this.#waiting.get(number);
    if (!waiting?.missing.delete(id)) return;
    if (waiting.isLate) this.#events.caughtUp(id);
    if (waiting.missing.size === 0) this.#waiting.delete(number);
    if (!hasFresh(waiting)) waiting.confirmed.resolve();
  }

  async #unconfirmed(waiting: Waiting): Promise<readonly string[]> {
    if (hasFresh(waiting)) {
      const timer = setTimeout(waiting.confirmed.resolve, this.#patienceMs);
      await waiting.confirmed.promise;
      clearTimeout(timer);
    }
    if (waiting.missing.size === 0) return [];
    waiting.isLate = true;
    this.#events.late([...waiting.missing.keys()]);
    return [...waiting.missing.values()].map(({ name }) => name);
  }

  #dropOld(): void {
    const before = performance.now() - rememberedMs;
    for (const [number, { since }] of this.#waiting) {
      if (since > before) return;
      this.#waiting.delete(number);
    }
  }
}

const hasFresh = ({ missing }: Waiting): boolean => [...missing.values()].some(({ is_fresh }) => is_fresh);
