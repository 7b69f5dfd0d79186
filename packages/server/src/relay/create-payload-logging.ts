import type { Platform } from '../platform/create-platform.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { PayloadCleanup } from './payload-logging/payload-cleanup.ts';
import { decryptPayload, encryptPayload } from './payload-logging/payload-encryption.ts';
import { PayloadLogger } from './payload-logging/payload-logger.ts';
import { PayloadRepository } from './payload-logging/payload-repository.ts';
import { PayloadService } from './payload-logging/payload-service.ts';
import { PayloadSettingRepository } from './payload-logging/payload-setting-repository.ts';
import { PayloadSettingTable } from './payload-logging/payload-setting-table.ts';
import { StorageQuota } from './payload-logging/storage-quota.ts';
import type { StoredResponseService } from './stored-responses/stored-response-service.ts';

const sweepEveryMs = 60_000;
const bytesPerMegabyte = 1_000_000;

interface PayloadLoggingDependencies {
  readonly platform: Platform;
  readonly logs: LogService;
  readonly storedResponses: StoredResponseService;
  /** Interval for deleting expired payloads, and the memory limit for payloads waiting to be stored. */
  readonly keptBodies?: { readonly sweepEveryMs?: number; readonly maxBytes?: number } | undefined;
}

/** Payload logging: copies, stores, shows and deletes request and response payloads. */
export async function createPayloadLogging({
  platform,
  logs,
  storedResponses,
  keptBodies: given,
}: PayloadLoggingDependencies) {
  const { database, box, feed, options, inTransaction, logger, lifecycle } = platform;
  const bodies = new PayloadRepository(database);
  const keepings = new PayloadSettingRepository(database);
  const table = new PayloadSettingTable(() => keepings.all(), options);
  feed.listen((change) => (change === 'bodies' || change === 'everything' ? table.load() : undefined));
  await table.load();
  const room = new StorageQuota({
    most: () => options.values.KeptBodiesMegabytes * bytesPerMegabyte,
    count: () => bodies.storedBytes(),
  });
  const bodyKeeper = new PayloadLogger({
    table,
    room,
    seal: (captured) => encryptPayload(box, captured),
    insert: (rows) => bodies.insert(rows),
    maxBytes: given?.maxBytes,
    onFailure: (error) => logger.warn({ err: error }, 'payloads could not be stored'),
  });
  lifecycle.add({ name: 'payload logging', stop: () => bodyKeeper.catchUp() });
  const bodySweeper = new PayloadCleanup({
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
    keptBodies: new PayloadService({
      bodies,
      people: keepings,
      open: (row) => decryptPayload(box, row),
      catchUp: () => bodyKeeper.catchUp(),
      logs,
      inTransaction,
      onDamaged: (error, requestId) =>
        logger.error({ err: error, reqId: requestId }, 'a stored payload could not be decrypted'),
    }),
  };
}
