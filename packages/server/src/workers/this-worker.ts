import cluster from 'node:cluster';
import type { WorkerOrder, WorkerReady } from './worker-messages.ts';

export const { isPrimary } = cluster;

/** One of several processes behind one port, as it sees its primary. */
export interface ThisWorker {
  tellReady(ready: WorkerReady): void;
  onOrder(obey: (order: WorkerOrder) => void): void;
}

export const thisWorker: ThisWorker = {
  tellReady: (ready) => void process.send?.(ready),
  onOrder: (obey) => {
    process.on('message', (order: WorkerOrder) => obey(order));
    cluster.worker?.once('disconnect', () => {
      // The primary is gone. Node would end the process on the spot, with requests that are not charged.
      if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
      obey('close');
    });
  },
};
