import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverShuttingDownError } from '@headgate/relay';
import type { FastifyInstance } from 'fastify';
import type { RunningRequests } from './running-requests.ts';

/** How long a client may take to read the end of its response before the connection is closed. */
const lastReadMs = 2000;

/**
 * During shutdown, in-flight requests have a grace period. Afterwards they are ended with an error in their dialect
 * and settled, and the remaining connections are closed.
 */
export function endRequestsAfterGrace(app: FastifyInstance, running: RunningRequests, graceMs: number): void {
  let timer: NodeJS.Timeout | undefined;
  const endAll = async () => {
    running.endAll(serverShuttingDownError());
    await running.idle();
    await Promise.race([once(app.server, 'close'), sleep(lastReadMs, undefined, { ref: false })]);
    app.server.closeAllConnections();
  };
  app.addHook('preClose', async () => {
    timer = setTimeout(() => {
      endAll().catch((error: unknown) => app.log.error({ err: error }, 'in-flight requests could not be ended'));
    }, graceMs);
  });
  app.addHook('onClose', async () => {
    // A request whose client disconnected may still run after all connections are closed.
    await running.idle();
    clearTimeout(timer);
  });
}
