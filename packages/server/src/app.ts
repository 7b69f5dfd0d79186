import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import { modelApi, sessionApi, statusApi, userApi } from '@headgate/contract';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { sql } from 'kysely';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { documentApi } from './http/api-documents.ts';
import { endConnectionsWhenClosing } from './http/closing-connections.ts';
import { serveConsole } from './http/console-files.ts';
import { answerErrors } from './http/error-reply.ts';
import { serveHealth } from './http/health.ts';
import { readableUrl } from './http/readable-url.ts';
import { logRequests } from './http/request-log.ts';
import { SessionCookie } from './http/request-session.ts';
import { addSecurityHeaders } from './http/security-headers.ts';
import { serveTable } from './http/serve-table.ts';
import { modelRoutes } from './models/model-routes.ts';
import { OptionRepository } from './options/option-repository.ts';
import { OptionService } from './options/option-service.ts';
import { LoginService } from './sessions/login-service.ts';
import { SessionRepository } from './sessions/session-repository.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { SessionService } from './sessions/session-service.ts';
import { type Identity, statusRoutes } from './status/status-routes.ts';
import { UserRepository } from './users/user-repository.ts';
import { userRoutes } from './users/user-routes.ts';
import { UserService } from './users/user-service.ts';

const bodyLimitBytes = 1_048_576;

export interface AppParts {
  readonly config: Config;
  readonly database: Database;
  readonly logger: FastifyBaseLogger;
  readonly identity: Identity;
  /** Where the built console lies. */
  readonly consoleDir: string;
}

/** The composition root: every dependency is made and passed here. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, database, logger, identity } = parts;
  const options = new OptionService(new OptionRepository(database));
  await options.load();
  const sessions = new SessionService(new SessionRepository(database));
  await sessions.forgetExpired();
  const users = new UserService(new UserRepository(database), sessions);
  const login = new LoginService(users, options);

  const app = Fastify({
    loggerInstance: logger,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: 'idle',
    rewriteUrl: readableUrl,
    // Longer than any header Node accepts: a long parameter is judged by its row, not by the router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 },
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  logRequests(app);
  endConnectionsWhenClosing(app);
  answerErrors(app);
  await addSecurityHeaders(app);
  await app.register(cookie);
  await documentApi(app, identity.version);
  serveHealth(app, () => answers(database));
  const sessionCookie = new SessionCookie(sessions);
  serveTable(app, sessionCookie, statusApi, statusRoutes(options, identity));
  serveTable(app, sessionCookie, sessionApi, sessionRoutes(login));
  serveTable(app, sessionCookie, userApi, userRoutes(users));
  serveTable(app, sessionCookie, modelApi, modelRoutes());
  await serveConsole(app, parts.consoleDir);
  return app;
}

async function answers(database: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(database);
    return true;
  } catch {
    return false;
  }
}
