import { maxConcurrentBatches } from '../../packages/server/src/platform/db/database.ts';
import {
  concurrentBatchSize,
  maxBatchSize,
  maxBatchWaitMs,
} from '../../packages/server/src/relay/charges/charge-batch-writer.ts';
import type { EventQueue } from './event-queue.ts';

export interface PendingCharge {
  readonly user: number;
  readonly cost: number;
  /** Called when it is stored and the node was notified. */
  readonly done: () => void;
}

interface WriterDependencies {
  readonly events: EventQueue;
  readonly store: (jobs: readonly PendingCharge[]) => void;
  readonly storeMs: (jobs: readonly PendingCharge[]) => number;
}

type Read = (over: () => void) => void;

/** Writes batches of charges with reads between them, with the batch sizes and delays of the real writer. */
export class SimulatedWriter {
  readonly #dependencies: WriterDependencies;
  #jobs: (PendingCharge & { readonly since: number })[] = [];
  readonly #reads: Read[] = [];
  #inFlight = 0;
  #isReading = false;
  #hasJustRead = false;
  isGone = false;

  constructor(dependencies: WriterDependencies) {
    this.#dependencies = dependencies;
  }

  write(job: PendingCharge): void {
    const { events } = this.#dependencies;
    this.#jobs.push({ ...job, since: events.now });
    this.#next();
    events.after(maxBatchWaitMs, () => this.#next());
  }

  readBetween(read: Read): void {
    this.#reads.push(read);
    this.#next();
  }

  #next(): void {
    if (this.isGone || this.#isReading) return;
    const isTurnOfCharges = this.#hasJustRead && this.#jobs.length > 0;
    if (this.#reads.length > 0 && !isTurnOfCharges) {
      if (this.#inFlight === 0) this.#read(this.#reads.splice(0));
      return;
    }
    while (this.#jobs.length > 0 && this.#mayBegin()) this.#store(this.#jobs.splice(0, maxBatchSize));
  }

  /** Runs the reads one after another. */
  #read([first, ...rest]: readonly Read[]): void {
    this.#isReading = first !== undefined;
    if (first) first(() => this.#read(rest));
    else {
      this.#hasJustRead = true;
      this.#next();
    }
  }

  #mayBegin(): boolean {
    if (this.#inFlight === 0) return true;
    const waited = this.#dependencies.events.now - (this.#jobs[0]?.since ?? 0);
    const isWorthIt = waited >= maxBatchWaitMs || this.#jobs.length >= concurrentBatchSize;
    return isWorthIt && this.#inFlight < maxConcurrentBatches;
  }

  #store(jobs: readonly PendingCharge[]): void {
    const { events, store, storeMs } = this.#dependencies;
    this.#inFlight += 1;
    this.#hasJustRead = false;
    const half = storeMs(jobs) / 2;
    events.after(half, () => {
      store(jobs);
      events.after(half, () => {
        this.#inFlight -= 1;
        if (this.isGone) return;
        for (const { done } of jobs) done();
        this.#next();
      });
    });
  }
}
