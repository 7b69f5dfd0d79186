import { NodeLock } from '../platform/db/node-lock.ts';
import { LeaseRepository } from '../relay/leases/lease-repository.ts';
import { LeaseService } from '../relay/leases/lease-service.ts';
import { aloneMs, returnedAfterMs } from '../relay/leases/lease-times.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

export type NodeLeases = NonNullable<Awaited<ReturnType<typeof openNodeLeases>>>;

/** The quota this node has leased; undefined without PostgreSQL, where one process has all quota to itself. */
export async function openNodeLeases(
  { config, logger, lifecycle }: AppContext,
  { relayDatabase, inRelayTransaction }: CoreServices,
) {
  if (config.databaseUrl === undefined) return undefined;
  const lock = await NodeLock.open(config.databaseUrl, aloneMs, (error) =>
    logger.warn({ err: error }, 'out of touch with the other nodes; trying again'),
  );
  const leases = new LeaseService({
    leases: new LeaseRepository(relayDatabase),
    inTransaction: inRelayTransaction,
    touch: lock,
  });
  // Now it sees who is silent, and later who was silent all the time.
  await leases.dropLeasesOfGoneNodes();
  const timer = setTimeout(() => leases.dropLeasesOfGoneNodes().catch(() => undefined), returnedAfterMs).unref();
  lifecycle.add({
    name: 'quota leases',
    stop: async () => {
      clearTimeout(timer);
      // If this fails, the leases end with the lock.
      await leases.close().catch(() => undefined);
      await lock.close();
    },
  });
  return { leases };
}
