import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverEnds } from '@headgate/relay';
import type { FastifyInstance } from 'fastify';
import type { RunningCalls } from './running-calls.ts';

/** How long a client may take to read how its reply ended. */
const lastWordsMs = 2000;

/**
 * Once the app is closing, requests under way have their grace. What still runs then is ended with an error in its own
 * format and settled, and whatever else keeps a connection open loses it.
 */
export function endCallsPastGrace(app: FastifyInstance, running: RunningCalls, graceMs: number): void {
  let timer: NodeJS.Timeout | undefined;
  const endAll = async () => {
    running.endAll(serverEnds());
    await running.idle();
    await Promise.race([once(app.server, 'close'), sleep(lastWordsMs, undefined, { ref: false })]);
    app.server.closeAllConnections();
  };
  app.addHook('preClose', async () => {
    timer = setTimeout(() => {
      endAll().catch((error: unknown) => app.log.error({ err: error }, 'requests could not be ended'));
    }, graceMs);
  });
  app.addHook('onClose', async () => {
    // Not before: one whose client has left may run on when all connections are closed.
    await running.idle();
    clearTimeout(timer);
  });
}
