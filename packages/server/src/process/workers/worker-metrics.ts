import { type Family, type OtherWorkersMetrics, withWorkerLabel } from '../../observability/metrics/exposition.ts';

/** If the primary does not respond within this time, the worker shows only its own metrics. */
const primaryTimeoutMs = 5000;

/** Runs in a worker: sends its metrics to the primary and requests the metrics of the others. */
export class WorkerMetrics implements OtherWorkersMetrics {
  readonly #waiting = new Map<number, (others: readonly (readonly Family[])[]) => void>();
  #last = 0;

  /** `own` returns this worker's metrics, labelled with its name. */
  listen(name: string, own: () => readonly Family[]): void {
    process.on('message', (message) => {
      if (!isMetricsMessage(message)) return;
      if (message.metrics === 'tell') send({ metrics: 'told', id: message.id, families: withWorkerLabel(own(), name) });
      if (message.metrics === 'all') this.#waiting.get(message.id)?.(message.others);
    });
  }

  async others(): Promise<readonly (readonly Family[])[]> {
    this.#last += 1;
    const id = this.#last;
    const responded = Promise.withResolvers<readonly (readonly Family[])[]>();
    const timer = setTimeout(() => responded.resolve([]), primaryTimeoutMs);
    this.#waiting.set(id, responded.resolve);
    send({ metrics: 'wanted', id });
    const others = await responded.promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return others;
  }
}

const send = (message: MetricsMessage) => void process.send?.(message);

/**
 * Command from the primary to a worker: shut down with or without draining, hand over to a successor, or stop
 * immediately.
 */
export type WorkerCommand = 'drain' | 'close' | 'make room' | 'stop';

/** Sent by a worker to the primary once it listens. */
export interface WorkerReady {
  readonly readyLine: string;
}

/**
 * Metrics collection: a worker sends a request to the primary, which queries the other workers and returns their
 * metrics.
 */
export type MetricsMessage =
  | { readonly metrics: 'wanted' | 'tell'; readonly id: number }
  | { readonly metrics: 'told'; readonly id: number; readonly families: readonly Family[] }
  | { readonly metrics: 'all'; readonly id: number; readonly others: readonly (readonly Family[])[] };

export const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  typeof message === 'object' && message !== null && 'metrics' in message;
