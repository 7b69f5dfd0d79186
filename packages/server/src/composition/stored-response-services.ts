import { nowInSeconds } from '../platform/runtime/clock.ts';
import { StoredRoom } from '../relay/kept-bodies/stored-room.ts';
import { withDatabaseTimeout } from '../relay/leases/database-timeout.ts';
import { StoredResponseRepository } from '../relay/stored/stored-response-repository.ts';
import { StoredResponseService } from '../relay/stored/stored-response-service.ts';
import { UserRoom } from '../relay/stored/user-room.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

const bytesPerMegabyte = 1_000_000;

/** Responses that the gateway stores itself. */
export function makeStoredResponses(
  { logger }: AppContext,
  { relayDatabase, box, options }: CoreServices,
): StoredResponseService {
  const responses = new StoredResponseRepository(relayDatabase);
  const room = new UserRoom({
    most: () => options.values.StoredResponseMegabytes * bytesPerMegabyte,
    count: (userId) => responses.storedBytes(userId),
    trim: (userId, most) => responses.trim(userId, most),
    clock: () => performance.now(),
  });
  const total = new StoredRoom({
    most: () => options.values.StoredResponseTotalMegabytes * bytesPerMegabyte,
    count: () => responses.storedBytes(),
  });
  return new StoredResponseService({
    ...{ responses, box, room, total, options, inTime: withDatabaseTimeout, clock: nowInSeconds },
    onFailure: (error) => logger.warn({ err: error }, 'a response could not be stored or opened'),
  });
}
