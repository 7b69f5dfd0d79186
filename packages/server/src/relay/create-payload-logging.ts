import type { Platform } from '../platform/create-platform.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { BodyKeeper } from './payload-logging/body-keeper.ts';
import { BodyKeepingRepository } from './payload-logging/body-keeping-repository.ts';
import { BodySweeper } from './payload-logging/body-sweeper.ts';
import { KeepingTable } from './payload-logging/keeping-table.ts';
import { KeptBodyRepository } from './payload-logging/kept-body-repository.ts';
import { KeptBodyService } from './payload-logging/kept-body-service.ts';
import { openBodies, sealBodies } from './payload-logging/sealed-bodies.ts';
import { StoredRoom } from './payload-logging/stored-room.ts';
import type { StoredResponseService } from './stored-responses/stored-response-service.ts';

const sweepEveryMs = 60_000;
const bytesPerMegabyte = 1_000_000;

interface PayloadLoggingDependencies {
  readonly platform: Platform;
  readonly logs: LogService;
  readonly storedResponses: StoredResponseService;
  /** Interval for deleting expired payloads, and the memory limit for copies. */
  readonly keptBodies?: { readonly sweepEveryMs?: number; readonly mostBytes?: number } | undefined;
}

/** Payload logging: copies, stores, shows and deletes request and response payloads. */
export async function createPayloadLogging({
  platform,
  logs,
  storedResponses,
  keptBodies: given,
}: PayloadLoggingDependencies) {
  const { database, box, feed, options, inTransaction, logger, lifecycle } = platform;
  const bodies = new KeptBodyRepository(database);
  const keepings = new BodyKeepingRepository(database);
  const table = new KeepingTable(() => keepings.all(), options);
  feed.listen((change) => (change === 'bodies' || change === 'everything' ? table.load() : undefined));
  await table.load();
  const room = new StoredRoom({
    most: () => options.values.KeptBodiesMegabytes * bytesPerMegabyte,
    count: () => bodies.storedBytes(),
  });
  const bodyKeeper = new BodyKeeper({
    table,
    room,
    seal: (captured) => sealBodies(box, captured),
    insert: (rows) => bodies.insert(rows),
    mostBytes: given?.mostBytes,
    onFailure: (error) => logger.warn({ err: error }, 'payloads could not be stored'),
  });
  lifecycle.add({ name: 'payload logging', stop: () => bodyKeeper.catchUp() });
  const bodySweeper = new BodySweeper({
    bodies,
    keepings,
    rooms: [room, storedResponses],
    others: [storedResponses],
    inTransaction,
    clock: nowInSeconds,
    everyMs: given?.sweepEveryMs ?? sweepEveryMs,
    onFailure: (error) => logger.warn({ err: error }, 'expired payloads could not be deleted'),
  });
  lifecycle.add({ name: 'payload cleanup', start: () => bodySweeper.start(), drain: () => bodySweeper.close() });
  return {
    bodyKeeper,
    keptBodies: new KeptBodyService({
      bodies,
      people: keepings,
      open: (row) => openBodies(box, row),
      catchUp: () => bodyKeeper.catchUp(),
      logs,
      inTransaction,
      onDamaged: (error, requestId) =>
        logger.error({ err: error, reqId: requestId }, 'a stored payload could not be decrypted'),
    }),
  };
}
