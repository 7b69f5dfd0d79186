import { nowInSeconds } from '../platform/runtime/clock.ts';
import { BodyKeeper } from '../relay/kept-bodies/body-keeper.ts';
import { BodyKeepingRepository } from '../relay/kept-bodies/body-keeping-repository.ts';
import { BodySweeper } from '../relay/kept-bodies/body-sweeper.ts';
import { KeepingTable } from '../relay/kept-bodies/keeping-table.ts';
import { KeptBodyRepository } from '../relay/kept-bodies/kept-body-repository.ts';
import { KeptBodyService } from '../relay/kept-bodies/kept-body-service.ts';
import { openBodies, sealBodies } from '../relay/kept-bodies/sealed-bodies.ts';
import { StoredRoom } from '../relay/kept-bodies/stored-room.ts';
import type { StoredResponseService } from '../relay/stored/stored-response-service.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

const sweepEveryMs = 60_000;
const bytesPerMegabyte = 1_000_000;

/** Requests and answers of those who have them kept: copied, stored, shown and deleted. */
export async function makeKeptBodyServices(
  { database, logger, lifecycle, keptBodies: told }: AppContext,
  { box, feed, options, logs, inTransaction }: CoreServices,
  storedResponses: StoredResponseService,
) {
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
    mostBytes: told?.mostBytes,
    onFailure: (error) => logger.warn({ err: error }, 'requests and answers were not kept'),
  });
  lifecycle.add({ name: 'kept bodies', stop: () => bodyKeeper.catchUp() });
  const bodySweeper = new BodySweeper({
    bodies,
    keepings,
    rooms: [room, storedResponses],
    others: [storedResponses],
    inTransaction,
    clock: nowInSeconds,
    everyMs: told?.sweepEveryMs ?? sweepEveryMs,
    onFailure: (error) => logger.warn({ err: error }, 'expired requests and answers were not deleted'),
  });
  lifecycle.add({ name: 'body sweeper', start: () => bodySweeper.start(), drain: () => bodySweeper.close() });
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
        logger.error({ err: error, reqId: requestId }, 'what is kept of a request could not be opened'),
    }),
  };
}
