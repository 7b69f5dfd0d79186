import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Sent by the thread when it is ready to start and when it is done. */
export type CheckpointMessage = 'ready' | { readonly error: string } | { readonly isComplete: boolean };

const { path } = workerData as { readonly path: string };
const database = new DatabaseSync(path, { timeout: 0 });
database.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0');

parentPort?.once('message', () => {
  parentPort?.postMessage(checkpoint());
  database.close();
});
parentPort?.postMessage('ready' satisfies CheckpointMessage);

function checkpoint(): CheckpointMessage {
  try {
    const { log, checkpointed } = database.prepare('pragma wal_checkpoint(passive)').get() ?? {};
    const isComplete = log === checkpointed;
    if (isComplete) restartLog();
    return { isComplete };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** The first change after a complete checkpoint syncs the new log header; this write has no other effect. */
function restartLog(): void {
  const { user_version: version } = database.prepare('pragma user_version').get() ?? {};
  database.exec(`begin immediate; pragma user_version = ${Number(version)}; commit`);
}
