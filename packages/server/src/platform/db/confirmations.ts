import type { Announcement } from './confirming.ts';

/** A node that serves requests, as far as anybody knows. */
export interface LiveNode {
  readonly id: string;
  readonly name: string;
  /** It said lately that it is alive; one that did not is frozen or cut off, and nobody waits for its word. */
  readonly is_fresh: boolean;
}

interface Waiting {
  readonly missing: Map<string, LiveNode>;
  readonly confirmed: PromiseWithResolvers<void>;
  readonly since: number;
  isLate: boolean;
}

interface ConfirmationEvents {
  /** These have not confirmed a change in time. */
  readonly late: (ids: readonly string[]) => void;
  /** One of them has after all. */
  readonly caughtUp: (id: string) => void;
}

/** How long somebody who made a change waits for the others to confirm it, unless told otherwise. */
const usualPatienceMs = 1000;
/** What is not confirmed by then will not be. */
const rememberedMs = 600_000;

/** Which changes of this node the others have confirmed. */
export class Confirmations {
  readonly #self: string;
  readonly #events: ConfirmationEvents;
  readonly #patienceMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  /** `self`: the id of this node. */
  constructor(self: string, events: ConfirmationEvents, patienceMs = usualPatienceMs) {
    this.#self = self;
    this.#events = events;
    this.#patienceMs = patienceMs;
  }

  /** The number of the next change. */
  next(): number {
    this.#last += 1;
    return this.#last;
  }

  expect(number: number, nodes: readonly LiveNode[]): Announcement {
    this.#forgetOld();
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

  #forgetOld(): void {
    const before = performance.now() - rememberedMs;
    for (const [number, { since }] of this.#waiting) {
      if (since > before) return;
      this.#waiting.delete(number);
    }
  }
}

const hasFresh = ({ missing }: Waiting): boolean => [...missing.values()].some(({ is_fresh }) => is_fresh);
