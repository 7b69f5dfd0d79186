import type { Family } from '../../observability/metrics/exposition.ts';

/** What the primary tells a worker: end after a drain or without one, make room for a successor, or stop at once. */
export type WorkerOrder = 'drain' | 'close' | 'make room' | 'stop';

/** What a worker tells the primary once it listens. */
export interface WorkerReady {
  readonly readyLine: string;
}

/** Somebody asks a worker for metrics: it asks the primary, who asks the others, and gives it what they tell. */
export type MetricsMessage =
  | { readonly metrics: 'wanted' | 'tell'; readonly id: number }
  | { readonly metrics: 'told'; readonly id: number; readonly families: readonly Family[] }
  | { readonly metrics: 'all'; readonly id: number; readonly others: readonly (readonly Family[])[] };

export const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  typeof message === 'object' && message !== null && 'metrics' in message;
