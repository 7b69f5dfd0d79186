import { randomUUIDv7 } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serveApiDocuments } from '../../http/api-documents.ts';
import { BodyReader } from '../../http/bodies/body-reader.ts';
import { clientAddress } from '../../http/client-address.ts';
import { serveConsole } from '../../http/console-files.ts';
import { serveDocs } from '../../http/docs-files.ts';
import { serveHealth } from '../../http/health.ts';
import { respondToMalformedRequest } from '../../http/malformed-request.ts';
import { readableUrl } from '../../http/readable-url.ts';
import { createServedRequestLog } from '../../platform/logging/log-lines.ts';
import { Lifecycle } from '../../platform/runtime/lifecycle.ts';
import { Shutdown } from '../../platform/runtime/shutdown.ts';
import { RelayIngress } from '../../relay/ingress/relay-ingress.ts';
import { relayRoutes } from '../../relay/ingress/relay-routes.ts';
import { relayServer } from '../../relay/ingress/relay-server.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { addHooks, stopServicesOnClose } from './app-hooks.ts';
import { mountRoutes } from './app-routes.ts';
import { createServices } from './create-services.ts';
import { notReadyReasons } from './readiness.ts';

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
    // Longer than any header Node accepts, so that a long parameter is validated by its endpoint and not by the
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
