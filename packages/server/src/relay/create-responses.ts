import type { Platform } from '../platform/create-platform.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import { withDatabaseTimeout } from './leases/lease-exchange.ts';
import { StorageQuota } from './payload-logging/storage-quota.ts';
import { StoredResponseRepository } from './stored-responses/stored-response-repository.ts';
import { StoredResponseService } from './stored-responses/stored-response-service.ts';
import { UserStorageQuota } from './stored-responses/user-storage-quota.ts';
import { UpstreamResponseRepository } from './upstream-responses/upstream-response-repository.ts';
import { UpstreamResponseService } from './upstream-responses/upstream-response-service.ts';
import type { ChannelTable } from './upstreams/channel-table.ts';

const bytesPerMegabyte = 1_000_000;

interface ResponseDependencies {
  readonly platform: Platform;
  readonly channels: ChannelTable;
  /** Waits until the charges of finished requests are stored. */
  readonly catchUp: () => Promise<void>;
}

/** Responses that clients can continue, stored by the upstream or by the gateway. */
export function createResponses({ platform, channels, catchUp }: ResponseDependencies) {
  const responses = new UpstreamResponseRepository(platform.relayDatabase);
  return {
    keptResponses: new UpstreamResponseService({ responses, channels, catchUp, inTime: withDatabaseTimeout }),
    storedResponses: createStoredResponses(platform),
  };
}

function createStoredResponses({ relayDatabase, box, options, logger }: Platform): StoredResponseService {
  const responses = new StoredResponseRepository(relayDatabase);
  const room = new UserStorageQuota({
    most: () => options.values.StoredResponseMegabytes * bytesPerMegabyte,
    count: (userId) => responses.storedBytes(userId),
    trim: (userId, most) => responses.trim(userId, most),
    clock: () => performance.now(),
  });
  const total = new StorageQuota({
    most: () => options.values.StoredResponseTotalMegabytes * bytesPerMegabyte,
    count: () => responses.storedBytes(),
  });
  return new StoredResponseService({
    ...{ responses, box, room, total, options, inTime: withDatabaseTimeout, clock: nowInSeconds },
    onFailure: (error) => logger.warn({ err: error }, 'a response could not be stored or opened'),
  });
}
