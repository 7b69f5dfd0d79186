import type { ChargeBatchStore } from './charge-batch-store.ts';
import type { ChargeWriter, Settlement } from './charge-writer.ts';

interface Job {
  readonly settlement: Settlement;
  readonly done: () => void;
  /** Monotonic time at which it was queued. */
  readonly since: number;
}

interface ChargeBatchWriterDependencies {
  readonly store: Pick<ChargeBatchStore, 'store'>;
  /** Maximum number of batches stored concurrently. */
  readonly maxInFlight: number;
  /** Called after a batch is stored. */
  readonly onStored: () => void;
}

export const maxBatchSize = 500;
/**
 * A batch with this many charges starts while other batches are in progress. Smaller batches wait, because every batch
 * has a fixed cost.
 */
export const concurrentBatchSize = 16;
export const maxBatchWaitMs = 2;

/**
 * Stores charges in concurrent batches, confirmed in any order. A read waits until no batch is in progress, so that it
 * sees exactly the charges that memory counts as stored.
 */
export class ChargeBatchWriter implements ChargeWriter {
  readonly #dependencies: ChargeBatchWriterDependencies;
  #jobs: Job[] = [];
  #reads: (() => Promise<void>)[] = [];
  /** Batches being stored, oldest first. */
  readonly #inFlight = new Set<readonly Job[]>();
  #unstored = 0;
  #isReading = false;
  /** True if nothing was stored since the last read. */
  #hasJustRead = false;
  #isWoken = false;
  #isOverdue = false;
  #timer: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];

  constructor(dependencies: ChargeBatchWriterDependencies) {
    this.#dependencies = dependencies;
  }

  get unstored(): number {
    return this.#unstored;
  }

  get oldestUnstoredMs(): number {
    const [first = this.#jobs] = this.#inFlight;
    const [oldest] = first;
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  write(settlement: Settlement): Promise<void> {
    return new Promise((done) => {
      this.#jobs.push({ settlement, done, since: performance.now() });
      this.#unstored += 1;
      this.#wake();
    });
  }

  readBetween<T>(read: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reads.push(() => read().then(resolve, reject));
      this.#wake();
    });
  }

  /** Does nothing: durable charges are already in the tables. */
  async catchUp(): Promise<void> {}

  async drain(): Promise<void> {
    if (this.#isIdle) return;
    await new Promise<void>((idle) => this.#idle.push(idle));
  }

  get #isIdle(): boolean {
    return this.#jobs.length + this.#reads.length + this.#inFlight.size === 0 && !this.#isReading;
  }

  /** Runs in the next event loop turn, so that requests that end together form one batch. */
  #wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      this.#next();
    });
  }

  #next(): void {
    if (this.#isReading) return;
    // Reads and stores alternate. With new callers arriving constantly there is always a pending read, and charges
    // must not wait for all of them.
    const isTurnOfCharges = this.#hasJustRead && this.#jobs.length > 0;
    if (this.#reads.length > 0 && !isTurnOfCharges) {
      if (this.#inFlight.size === 0) void this.#read();
      return;
    }
    while (this.#jobs.length > 0 && this.#mayBegin) void this.#store(this.#jobs.splice(0, maxBatchSize));
    if (this.#jobs.length > 0) this.#timer ??= setTimeout(() => this.#hurry(), maxBatchWaitMs);
    else if (this.#isIdle) for (const idle of this.#idle.splice(0)) idle();
  }

  get #mayBegin(): boolean {
    if (this.#inFlight.size === 0) return true;
    const isWorthIt = this.#isOverdue || this.#jobs.length >= concurrentBatchSize;
    return isWorthIt && this.#inFlight.size < this.#dependencies.maxInFlight;
  }

  #hurry(): void {
    this.#timer = undefined;
    this.#isOverdue = true;
    this.#next();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    const reads = this.#reads;
    this.#reads = [];
    for (const read of reads) await read();
    this.#isReading = false;
    this.#hasJustRead = true;
    this.#next();
  }

  async #store(group: readonly Job[]): Promise<void> {
    this.#hasJustRead = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isOverdue = false;
    this.#inFlight.add(group);
    await this.#dependencies.store.store(group.map(({ settlement }) => settlement.charge));
    this.#inFlight.delete(group);
    this.#unstored -= group.length;
    for (const { settlement, done } of group) {
      for (const account of settlement.accounts) account.stored(settlement.charge.quota);
      done();
    }
    this.#dependencies.onStored();
    this.#next();
  }
}
