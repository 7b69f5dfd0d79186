import type { Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Family } from '../../observability/metrics/exposition.ts';
import type { MetricsMessage } from './worker-messages.ts';

/** Workers that do not respond within this time are omitted. */
const workerTimeoutMs = 3000;

type CollectedMetrics = (families: readonly Family[]) => void;

/** Runs in the primary: collects metrics from all other workers for the worker that received the request. */
export class MetricsRelay {
  readonly #serving: () => Iterable<Worker>;
  readonly #waiting = new Map<number, CollectedMetrics>();
  #last = 0;

  /** `serving` returns the workers to collect from. */
  constructor(serving: () => Iterable<Worker>) {
    this.#serving = serving;
  }

  hear(worker: Worker, message: MetricsMessage): void {
    if (message.metrics === 'told') this.#waiting.get(message.id)?.(message.families);
    if (message.metrics === 'wanted') void this.#gather(worker, message.id);
  }

  async #gather(asking: Worker, id: number): Promise<void> {
    const others = [...this.#serving()].filter((worker) => worker !== asking && worker.isConnected());
    const told = await Promise.all(others.map((worker) => this.#ask(worker)));
    send(asking, { metrics: 'all', id, others: told.filter((families) => families !== undefined) });
  }

  async #ask(worker: Worker): Promise<readonly Family[] | undefined> {
    this.#last += 1;
    const id = this.#last;
    const answered = Promise.withResolvers<readonly Family[]>();
    this.#waiting.set(id, answered.resolve);
    send(worker, { metrics: 'tell', id });
    const families = await Promise.race([answered.promise, sleep(workerTimeoutMs, undefined, { ref: false })]);
    this.#waiting.delete(id);
    return families;
  }
}

/** Errors are ignored, because a worker that is exiting receives no messages. */
const send = (worker: Worker, message: MetricsMessage) => worker.send(message, () => undefined);
