import type { Family } from '../../observability/metrics/exposition.ts';

/**
 * Order from the primary to a worker: shut down with or without draining, hand over to a successor, or stop
 * immediately.
 */
export type WorkerOrder = 'drain' | 'close' | 'make room' | 'stop';

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
