import type { Database } from '../../platform/db/database.ts';
import { readDatabaseState } from '../../platform/db/database-state.ts';
import type { Shutdown } from '../../platform/runtime/shutdown.ts';
import { storageFaultMessages } from '../../platform/storage/storage-fault.ts';
import { maxChargeLagMs, type StorageHealth } from '../../platform/storage/storage-health.ts';
import type { ChargeWriter } from '../../relay/charges/charge-writer.ts';
import type { LeaseService } from '../../relay/leases/lease-service.ts';

interface ReadinessDependencies {
  readonly shutdown: Shutdown;
  /** The relay's database: slow console queries must not make the node unready. */
  readonly database: Database;
  readonly writer: Pick<ChargeWriter, 'oldestUnstoredMs'>;
  readonly storage: StorageHealth;
  /** Undefined if a single process owns all quota. */
  readonly leases: Pick<LeaseService, 'node'> | undefined;
}

/** Reasons why this node should receive no requests; empty if it can serve. */
export async function notReadyReasons(node: ReadinessDependencies): Promise<readonly string[]> {
  if (node.shutdown.hasBegun && !node.shutdown.isReplaced) return ['the server is shutting down'];
  const reasons: string[] = [];
  const state = await readDatabaseState(node.database);
  if (state === 'silent') reasons.push('the database does not respond');
  else if (state === 'rejecting') reasons.push("the database rejects this node's login: check DATABASE_URL");
  else await node.storage.check();
  const { trouble } = node.storage;
  if (trouble !== undefined && trouble !== 'slow') reasons.push(storageFaultMessages[trouble]);
  if (node.leases && node.leases.node === undefined) reasons.push('this node is out of touch with the other nodes');
  const lagMs = node.writer.oldestUnstoredMs;
  if (lagMs > maxChargeLagMs)
    reasons.push(`a charge has been waiting for ${Math.round(lagMs / 1000)} seconds to be stored`);
  return reasons;
}
