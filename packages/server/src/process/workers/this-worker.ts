import cluster from 'node:cluster';
import type { OtherWorkersMetrics } from '../../observability/metrics/exposition.ts';
import { isMetricsMessage, type WorkerCommand, WorkerMetrics, type WorkerReady } from './worker-metrics.ts';

export const { isPrimary } = cluster;

/** This process as one of several workers on one port. */
export interface ThisWorker {
  /** True for the worker that the primary starts first. */
  readonly isFirst: boolean;
  tellReady(ready: WorkerReady): void;
  onOrder(obey: (order: WorkerCommand) => void): void;
  readonly metrics: OtherWorkersMetrics;
}

export const thisWorker: ThisWorker = {
  isFirst: cluster.worker?.id === 1,
  tellReady: (ready) => void process.send?.(ready),
  onOrder: (obey) => {
    process.on('message', (message) => {
      if (!isMetricsMessage(message)) obey(message as WorkerCommand);
    });
    cluster.worker?.once('disconnect', () => {
      // The primary has exited. Without this flag Node would exit immediately, before in-flight requests are charged.
      if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
      obey('close');
    });
  },
  metrics: new WorkerMetrics(),
};
