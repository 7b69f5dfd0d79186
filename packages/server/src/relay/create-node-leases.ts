import type { Platform } from '../platform/create-platform.ts';
import { NodeLock } from '../platform/db/node-lock.ts';
import { LeaseRepository } from './leases/lease-repository.ts';
import { LeaseService } from './leases/lease-service.ts';
import { leaseExpiryMs, leaseTrustMs } from './leases/lease-times.ts';

/** Quota leases of this node; undefined on SQLite, where one process owns all quota. */
export async function createNodeLeases({
  databaseUrl,
  relayDatabase,
  inRelayTransaction,
  logger,
  lifecycle,
}: Platform): Promise<LeaseService | undefined> {
  if (databaseUrl === undefined) return undefined;
  const lock = await NodeLock.open(databaseUrl, leaseTrustMs, (error) =>
    logger.warn({ err: error }, 'out of touch with the other nodes; trying again'),
  );
  const leases = new LeaseService({
    leases: new LeaseRepository(relayDatabase),
    inTransaction: inRelayTransaction,
    touch: lock,
  });
  // The first call finds silent nodes. The second drops the leases of nodes that are still silent.
  await leases.dropLeasesOfGoneNodes();
  const timer = setTimeout(() => leases.dropLeasesOfGoneNodes().catch(() => undefined), leaseExpiryMs).unref();
  lifecycle.add({
    name: 'quota leases',
    stop: async () => {
      clearTimeout(timer);
      // If this fails, the leases expire with the lock.
      await leases.close().catch(() => undefined);
      await lock.close();
    },
  });
  return leases;
}
