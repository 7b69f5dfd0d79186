/** What the primary tells a worker: end after a drain or without one, make room for a successor, or stop at once. */
export type WorkerOrder = 'drain' | 'close' | 'make room' | 'stop';

/** What a worker tells the primary once it listens. */
export interface WorkerReady {
  readonly readyLine: string;
}
