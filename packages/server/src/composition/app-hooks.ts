import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { endConnectionsWhenClosing } from '../http/closing-connections.ts';
import { answerErrors } from '../http/error-reply.ts';
import { limitRequests } from '../http/limit-requests.ts';
import { readBodies } from '../http/read-bodies.ts';
import { logRequests } from '../http/request-log.ts';
import { addSecurityHeaders } from '../http/security-headers.ts';
import { waitForCharges } from '../http/wait-for-charges.ts';
import type { Shutdown } from '../platform/runtime/shutdown.ts';
import { endCallsPastGrace } from '../relay/clients/closing-calls.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { AppServices } from './app-services.ts';

/** How long the end waits for the last spans to be sent. */
const spanGraceMs = 3000;

/** How long PostgreSQL may be away once the app is closing, before charges are saved locally. */
const chargePatienceMs = 5000;

/** What is done with every request before its route, and with the app before it closes. */
export async function addHooks(
  app: FastifyInstance,
  { config, shutdown, bodyPatienceMs, usagePackingAfterMs }: AppDependencies & { readonly shutdown: Shutdown },
  services: AppServices,
): Promise<void> {
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('preClose', async () => shutdown.begin());
  app.addHook('preClose', async () => services.logCleaning.stop());
  app.addHook('preClose', async () => services.exportSlots.close());
  app.addHook('onReady', async () => services.usagePacking.start(usagePackingAfterMs));
  app.addHook('preClose', () => services.usagePacking.close());
  app.addHook('onReady', async () => services.pauseProber.start());
  app.addHook('preClose', () => services.pauseProber.close());
  app.addHook('onReady', async () => services.bodySweeper.start());
  app.addHook('preClose', () => services.bodySweeper.close());
  app.addHook('onReady', async () => services.months?.start());
  app.addHook('preClose', async () => services.months?.close());
  app.addHook('onReady', async () => services.alerting.sender.start());
  app.addHook('onReady', async () => services.alerting.watch.start());
  app.addHook('preClose', () => services.alerting.watch.close());
  app.addHook('onReady', async () => services.storage.start());
  app.addHook('onReady', async () => services.idleCallers.start());
  app.addHook('onReady', async () => services.limitMemory.start());
  // What a process that was killed has not told.
  app.addHook('onReady', async () => services.budgetNotices.charged(undefined));
  logRequests(app);
  endConnectionsWhenClosing(app);
  app.addHook('preClose', async () => {
    setTimeout(services.charges.saveLocally, chargePatienceMs).unref();
  });
  endCallsPastGrace(app, services.running, config.shutdownGraceMs);
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

/** Ends the services in the order in which the one needs the other. */
export function closeServices(app: FastifyInstance, services: AppServices): void {
  app.addHook('onClose', async () => {
    await services.running.idle();
    // Until then other nodes are answered that ask for points, and before anything else: what it hears reads the database.
    await services.idleCallers.close();
    await services.nodes.close();
    await services.feed.close();
    await services.writer.drain();
    await services.bodyKeeper.catchUp();
    await services.limitMemory.close();
    services.storage.close();
    // Where that fails, it is done later.
    await services.charges.close().catch(() => undefined);
    await services.budgetNotices.close();
    await services.channelHealth.catchUp();
    await services.keyUse.catchUp();
    await services.refusedRequests.close();
    await services.modelTimes.catchUp();
    await services.nodeLeases?.close();
    await services.upstreamServices.close();
    await services.traces?.exporter.close(spanGraceMs);
    await services.alerting.places.catchUp();
    await services.alerts.catchUp();
    await services.alerting.sender.close();
    // Last: whatever was finished until now may have something to tell by mail.
    await services.signIn.mails.close();
  });
}
