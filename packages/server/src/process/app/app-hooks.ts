import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { endConnectionsWhenClosing } from '../../http/closing-connections.ts';
import { answerErrors } from '../../http/error-reply.ts';
import { limitRequests } from '../../http/limit-requests.ts';
import { readBodies } from '../../http/read-bodies.ts';
import { logRequests } from '../../http/request-log.ts';
import { addSecurityHeaders } from '../../http/security-headers.ts';
import { waitForCharges } from '../../http/wait-for-charges.ts';
import type { Lifecycle } from '../../platform/runtime/lifecycle.ts';
import type { Shutdown } from '../../platform/runtime/shutdown.ts';
import { endCallsPastGrace } from '../../relay/clients/closing-calls.ts';
import type { RunningCalls } from '../../relay/clients/running-calls.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { AppServices } from './create-services.ts';

interface HookDependencies extends AppDependencies {
  readonly lifecycle: Lifecycle;
  readonly shutdown: Shutdown;
}

/** Hooks for every request before its route, and for the app before it closes. */
export async function addHooks(
  app: FastifyInstance,
  { config, lifecycle, shutdown, bodyPatienceMs }: HookDependencies,
  services: AppServices,
): Promise<void> {
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onReady', () => lifecycle.start());
  app.addHook('preClose', async () => shutdown.begin());
  logRequests(app);
  endConnectionsWhenClosing(app);
  endCallsPastGrace(app, services.running, config.shutdownGraceMs);
  // After the grace period has started: a background job that ends late must not extend it.
  app.addHook('preClose', () => lifecycle.drain());
  answerErrors(app);
  readBodies(app, config.bodies, bodyPatienceMs);
  await addSecurityHeaders(app);
  await app.register(cookie);
  limitRequests(app, services.requestLimiters);
  // The API reads and changes totals in the tables; the relay and the pages do not.
  app.addHook('onRequest', async ({ url, method, routeOptions }) => {
    if ((routeOptions.url ?? url).startsWith('/api') && !routeOptions.config.isRelayed) {
      const { writer, storage } = services;
      await waitForCharges({ catchUp: () => writer.catchUp(), trouble: storage.trouble }, method);
      await services.channelHealth.catchUp();
      await services.keyUse.catchUp();
      await services.refusedRequests.catchUp();
    }
  });
}

/**
 * Stops the services after the last request. Call after all other hooks, because the last `onClose` hook runs first.
 */
export function stopWhenClosed(app: FastifyInstance, lifecycle: Lifecycle, running: RunningCalls): void {
  // Requests outlive their connections: one whose client disconnected still has to be settled.
  lifecycle.add({ name: 'relayed requests', stop: () => running.idle() });
  app.addHook('onClose', () => lifecycle.stop());
}
