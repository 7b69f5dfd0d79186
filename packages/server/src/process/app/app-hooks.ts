import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { closeIdleConnectionsOnShutdown } from '../../http/closing-connections.ts';
import { handleErrors } from '../../http/error-response.ts';
import { addBodyParsers } from '../../http/read-bodies.ts';
import { logRequests } from '../../http/request-log.ts';
import { addRateLimits } from '../../http/request-rate-limits.ts';
import { addSecurityHeaders } from '../../http/security-headers.ts';
import { waitForCharges } from '../../http/wait-for-charges.ts';
import type { Lifecycle } from '../../platform/runtime/lifecycle.ts';
import type { Shutdown } from '../../platform/runtime/shutdown.ts';
import type { RunningRequests } from '../../relay/clients/running-requests.ts';
import { endRequestsAfterGrace } from '../../relay/clients/shutdown-grace.ts';
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
  closeIdleConnectionsOnShutdown(app);
  endRequestsAfterGrace(app, services.running, config.shutdownGraceMs);
  // Runs after the grace period has started, so that a slow background job does not extend it.
  app.addHook('preClose', () => lifecycle.drain());
  handleErrors(app);
  addBodyParsers(app, config.bodies, bodyPatienceMs);
  await addSecurityHeaders(app);
  await app.register(cookie);
  addRateLimits(app, services.requestLimiters);
  // API handlers read and change totals in the tables, so pending charges are written first. The relay and the static
  // pages do not need this.
  app.addHook('onRequest', async ({ url, method, routeOptions }) => {
    if ((routeOptions.url ?? url).startsWith('/api') && !routeOptions.config.isRelayed) {
      const { writer, storage } = services;
      await waitForCharges({ catchUp: () => writer.catchUp(), trouble: storage.trouble }, method);
      await services.channelHealth.flush();
      await services.keyUse.flush();
      await services.refusedRequests.catchUp();
    }
  });
}

/**
 * Stops the services after the last request. Call after all other hooks, because the last `onClose` hook runs first.
 */
export function stopServicesOnClose(app: FastifyInstance, lifecycle: Lifecycle, running: RunningRequests): void {
  // A request can outlive its connection: it must be settled even if its client disconnected.
  lifecycle.add({ name: 'relayed requests', stop: () => running.idle() });
  app.addHook('onClose', () => lifecycle.stop());
}
