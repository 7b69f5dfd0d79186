import { randomUUIDv7 } from 'node:crypto';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serveApiDocuments } from '../../http/api-documents.ts';
import { BodyReader } from '../../http/bodies/body-reader.ts';
import { clientAddress } from '../../http/client-address.ts';
import { closeIdleConnectionsOnShutdown } from '../../http/closing-connections.ts';
import { serveConsole, serveDocs } from '../../http/console-files.ts';
import { handleErrors } from '../../http/error-response.ts';
import { serveHealth } from '../../http/health.ts';
import { respondToMalformedRequest } from '../../http/malformed-request.ts';
import { addBodyParsers } from '../../http/read-bodies.ts';
import { readableUrl } from '../../http/readable-url.ts';
import { logRequests } from '../../http/request-log.ts';
import { addRateLimits } from '../../http/request-rate-limits.ts';
import { addSecurityHeaders } from '../../http/security-headers.ts';
import { waitForPendingCharges } from '../../http/wait-for-charges.ts';
import type { Database } from '../../platform/db/database.ts';
import { readDatabaseState } from '../../platform/db/database-state.ts';
import { createServedRequestLog } from '../../platform/logging/log-lines.ts';
import { Lifecycle } from '../../platform/runtime/lifecycle.ts';
import { Shutdown } from '../../platform/runtime/shutdown.ts';
import { maxChargeLagMs, type StorageHealth, storageFaultMessages } from '../../platform/storage/storage-health.ts';
import type { ChargeWriter } from '../../relay/charges/charge-writer.ts';
import type { RunningRequests } from '../../relay/clients/running-requests.ts';
import { endRequestsAfterGrace } from '../../relay/clients/shutdown-grace.ts';
import { RelayIngress } from '../../relay/ingress/relay-ingress.ts';
import { relayRoutes } from '../../relay/ingress/relay-routes.ts';
import { relayServer } from '../../relay/ingress/relay-server.ts';
import type { LeaseService } from '../../relay/leases/lease-service.ts';
import { RequestTagger } from '../../relay/tags/request-tagger.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { mountRoutes } from './app-routes.ts';
import { type AppServices, createServices } from './create-services.ts';

/** The whole gateway, ready to listen: console API, relay and console files. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, identity, shutdown = new Shutdown() } = dependencies;
  const logger: FastifyBaseLogger = dependencies.logger;
  const lifecycle = new Lifecycle((error, part) =>
    logger.error({ err: error, part }, 'a part of the server did not stop'),
  );
  const services = await createServices({ ...dependencies, lifecycle });
  const bodies = new BodyReader(config.bodies, dependencies.bodyPatienceMs);
  const door = new RelayIngress({
    bodies,
    bodyKeeper: services.bodyKeeper,
    relay: services.relay,
    upstreamServices: services.upstreamServices,
    running: services.running,
    tags: new RequestTagger(services.options),
    mirror: services.mirror,
    tracer: services.traces?.tracer,
    logger,
    onServed: createServedRequestLog(dependencies.logger),
    readerPatienceMs: dependencies.readerPatienceMs,
    addressOf: clientAddress(config.trustedProxies),
  });
  const app = Fastify({
    serverFactory: (handle) => relayServer({ door, handle, logger, shutdown }),
    loggerInstance: logger,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUIDv7(),
    clientErrorHandler: respondToMalformedRequest,
    forceCloseConnections: 'idle',
    rewriteUrl: readableUrl,
    // Longer than any header that Node accepts, so that a long parameter is validated by its endpoint and not by the
    // router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 },
  });
  await addHooks(app, { ...dependencies, lifecycle, shutdown }, services);
  serveApiDocuments(app, identity.version);
  serveHealth(app, () => notReadyReasons({ ...services, shutdown, database: services.relayDatabase }));
  mountRoutes(app, services, identity);
  await app.register(relayRoutes({ ...services, bodies }));
  stopServicesOnClose(app, lifecycle, services.running);
  await serveDocs(app, dependencies.docsDir);
  await serveConsole(app, dependencies.consoleDir, () => {
    const { ChatLink, HomePageContent, About } = services.options.values;
    return [ChatLink, HomePageContent, About];
  });
  return app;
}

interface ReadinessDependencies {
  readonly shutdown: Shutdown;
  /** The relay's database: slow console queries must not make the node unready. */
  readonly database: Database;
  readonly writer: Pick<ChargeWriter, 'oldestUnstoredMs'>;
  readonly storage: StorageHealth;
  /** Undefined if a single process owns all quota. */
  readonly leases: Pick<LeaseService, 'node'> | undefined;
}

/** Reasons why this node should receive no requests; empty if it can serve. */
async function notReadyReasons(node: ReadinessDependencies): Promise<readonly string[]> {
  if (node.shutdown.hasBegun && !node.shutdown.isReplaced) return ['the server is shutting down'];
  const reasons: string[] = [];
  const state = await readDatabaseState(node.database);
  if (state === 'silent') reasons.push('the database does not respond');
  else if (state === 'rejecting') reasons.push("the database rejects this node's login: check DATABASE_URL");
  else await node.storage.check();
  const { trouble } = node.storage;
  if (trouble !== undefined && trouble !== 'slow') reasons.push(storageFaultMessages[trouble]);
  if (node.leases && node.leases.node === undefined) reasons.push('this node has lost contact with the other nodes');
  const lagMs = node.writer.oldestUnstoredMs;
  if (lagMs > maxChargeLagMs)
    reasons.push(`a charge has been waiting for ${Math.round(lagMs / 1000)} seconds to be stored`);
  return reasons;
}

interface HookDependencies extends AppDependencies {
  readonly lifecycle: Lifecycle;
  readonly shutdown: Shutdown;
}

/** Hooks for every request before its route, and for the app before it closes. */
async function addHooks(
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
    if (/^\/(api|scim)/.test(routeOptions.url ?? url) && !routeOptions.config.isRelayed) {
      const { writer, storage } = services;
      await waitForPendingCharges({ catchUp: () => writer.catchUp(), trouble: storage.trouble }, method);
      await services.channelHealth.flush();
      await services.keyUse.flush();
      await services.rejectedRequests.catchUp();
    }
  });
}

/**
 * Stops the services after the last request. Call after all other hooks, because the last `onClose` hook runs first.
 */
function stopServicesOnClose(app: FastifyInstance, lifecycle: Lifecycle, running: RunningRequests): void {
  // A request can outlive its connection: it must be settled even if its client has disconnected.
  lifecycle.add({ name: 'relayed requests', stop: () => running.idle() });
  app.addHook('onClose', () => lifecycle.stop());
}
