import { ApiError } from '../platform/errors/api-error.ts';
import { resolvesWithin } from '../platform/runtime/resolves-within.ts';
import type { StorageFault } from '../platform/storage/storage-health.ts';

interface ChargedTables {
  /** Resolves when all charges so far are stored. */
  readonly catchUp: () => Promise<void>;
  /** Reason why charges cannot be stored; undefined while no problem is known. */
  readonly trouble: StorageFault | 'slow' | undefined;
}

const patienceMs = 5000;
/** Failed writes are retried every 200 ms. */
const faultTimeoutMs = 300;
const retrySeconds = '30';

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const storageErrorOf = {
  full: 'diskFull',
  'read-only': 'databaseReadOnly',
  failing: 'diskFails',
  slow: 'databaseSlow',
} as const;

/**
 * Waits until all charges so far are stored, so that the API shows and changes current totals. If charges cannot be
 * stored, reads are served without the latest charges, and changes are rejected.
 */
export async function waitForPendingCharges({ catchUp, trouble }: ChargedTables, method: string): Promise<void> {
  if (await resolvesWithin(catchUp(), trouble === undefined ? patienceMs : faultTimeoutMs)) return;
  if (!reading.has(method)) throw new ApiError(storageErrorOf[trouble ?? 'slow'], { seconds: retrySeconds });
}
