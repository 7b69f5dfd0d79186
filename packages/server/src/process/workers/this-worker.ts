import cluster from 'node:cluster';
import type { GatheredMetrics } from '../../observability/metrics/gathered-metrics.ts';
import { isMetricsMessage, type WorkerOrder, type WorkerReady } from './worker-messages.ts';
import { WorkerMetrics } from './worker-metrics.ts';

export const { isPrimary } = cluster;

/** One of several processes behind one port, as it sees its primary. */
export interface ThisWorker {
  /** The worker that the primary starts before all others. */
  readonly isFirst: boolean;
  tellReady(ready: WorkerReady): void;
  onOrder(obey: (order: WorkerOrder) => void): void;
  readonly metrics: GatheredMetrics;
}

export const thisWorker: ThisWorker = {
  isFirst: cluster.worker?.id === 1,
  tellReady: (ready) => void process.send?.(ready),
  onOrder: (obey) => {
    process.on('message', (message) => {
      if (!isMetricsMessage(message)) obey(message as WorkerOrder);
    });
    cluster.worker?.once('disconnect', () => {
      // The primary is gone. Node would end the process on the spot, with requests that are not charged.
      if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
      obey('close');
    });
  },
  metrics: new WorkerMetrics(),
};
