import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import {
  channelApi,
  groupApi,
  ledgerApi,
  logApi,
  mailApi,
  modelApi,
  oauthApi,
  optionApi,
  passkeyApi,
  redemptionApi,
  registrationApi,
  secondFactorApi,
  sessionApi,
  statusApi,
  tokenApi,
  userApi,
} from '@headgate/contract';
import type { Timeouts } from '@headgate/relay';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { sql } from 'kysely';
import { BodyReader } from './bodies/body-reader.ts';
import { AbilityRepository } from './channels/ability-repository.ts';
import { ChannelRepository } from './channels/channel-repository.ts';
import { channelRoutes } from './channels/channel-routes.ts';
import { ChannelService } from './channels/channel-service.ts';
import { CodeRepository } from './codes/code-repository.ts';
import { CodeService } from './codes/code-service.ts';
import type { Config } from './config.ts';
import { localChangeFeed, postgresChangeFeed } from './db/change-feed.ts';
import type { Database } from './db/database.ts';
import { NodeLock } from './db/node-lock.ts';
import { groupRoutes } from './groups/group-routes.ts';
import { documentApi } from './http/api-documents.ts';
import { clientAddress } from './http/client-address.ts';
import { endConnectionsWhenClosing } from './http/closing-connections.ts';
import { serveConsole } from './http/console-files.ts';
import { answerErrors } from './http/error-reply.ts';
import { serveHealth } from './http/health.ts';
import { limitRequests } from './http/limit-requests.ts';
import { readBodies } from './http/read-bodies.ts';
import { readableUrl } from './http/readable-url.ts';
import { logRequests } from './http/request-log.ts';
import { addSecurityHeaders } from './http/security-headers.ts';
import { serveTable } from './http/serve-table.ts';
import { LedgerRepository } from './ledger/ledger-repository.ts';
import { ledgerRoutes } from './ledger/ledger-routes.ts';
import { oauthRoutes } from './login/oauth-routes.ts';
import { SessionCookie } from './login/session-cookie.ts';
import { sessionRoutes } from './login/session-routes.ts';
import { LogCleaningService } from './logs/log-cleaning-service.ts';
import { LogListRepository } from './logs/log-list-repository.ts';
import { LogRepository } from './logs/log-repository.ts';
import { logRoutes } from './logs/log-routes.ts';
import { LogSearchRepository } from './logs/log-search-repository.ts';
import { LogService } from './logs/log-service.ts';
import { mailRoutes } from './mail/mail-routes.ts';
import { metricsRoutes } from './metrics/metrics-routes.ts';
import { modelRoutes } from './models/model-routes.ts';
import { OptionChangeService } from './options/option-change-service.ts';
import { OptionRepository } from './options/option-repository.ts';
import { optionRoutes } from './options/option-routes.ts';
import { OptionService } from './options/option-service.ts';
import { PasskeyRepository } from './passkeys/passkey-repository.ts';
import { passkeyRoutes } from './passkeys/passkey-routes.ts';
import { RedemptionRepository } from './redemptions/redemption-repository.ts';
import { redemptionRoutes } from './redemptions/redemption-routes.ts';
import { RedemptionService } from './redemptions/redemption-service.ts';
import { registrationRoutes } from './registration/registration-routes.ts';
import { CallerRepository } from './relay/callers/caller-repository.ts';
import { upstreamTimeouts } from './relay/channels/upstream-timeouts.ts';
import { ChargeJournalRepository } from './relay/charges/charge-journal-repository.ts';
import { SettlementRepository } from './relay/charges/settlement-repository.ts';
import { endCallsPastGrace } from './relay/clients/closing-calls.ts';
import { RelayDoor } from './relay/door/relay-door.ts';
import { relayRoutes } from './relay/door/relay-routes.ts';
import { relayServer } from './relay/door/relay-server.ts';
import { LeaseRepository } from './relay/leases/lease-repository.ts';
import { LeaseService } from './relay/leases/lease-service.ts';
import { makeRelaying } from './relaying.ts';
import { SecondFactorRepository } from './second-factor/second-factor-repository.ts';
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts';
import { SecretBox } from './secrets/secret-box.ts';
import { checkSecretKey } from './secrets/secret-check-repository.ts';
import { loadSecretKey } from './secrets/secret-key.ts';
import { KnownDevices } from './sessions/known-devices.ts';
import { SessionRepository } from './sessions/session-repository.ts';
import { SessionService } from './sessions/session-service.ts';
import { makeSignIn } from './sign-in.ts';
import { type Identity, statusRoutes } from './status/status-routes.ts';
import { TicketRepository } from './tickets/ticket-repository.ts';
import { TicketService } from './tickets/ticket-service.ts';
import { TokenRepository } from './tokens/token-repository.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import { TokenService } from './tokens/token-service.ts';
import { type InTransaction, transactionsOf } from './transaction.ts';
import { AccessTokenService } from './users/access-token-service.ts';
import { AccountService } from './users/account-service.ts';
import { KnownIdentities } from './users/known-identities.ts';
import { KnownIdentityRepository } from './users/known-identity-repository.ts';
import { UserManagementService } from './users/user-management-service.ts';
import { UserRepository } from './users/user-repository.ts';
import { userRoutes } from './users/user-routes.ts';
import { UserService } from './users/user-service.ts';

export interface AppParts {
  readonly config: Config;
  readonly database: Database;
  readonly logger: FastifyBaseLogger;
  readonly identity: Identity;
  /** Where the built console lies. */
  readonly consoleDir: string;
  /** How long upstreams may take; what the settings say unless told otherwise. */
  readonly upstreamTimeouts?: Timeouts;
  /** How long a client may read nothing of its reply; patient unless told otherwise. */
  readonly readerPatienceMs?: number;
  /** How long a body may grow by next to nothing; patient unless told otherwise. */
  readonly bodyPatienceMs?: number;
  /** How long tokens may be counted before they are estimated; two seconds unless told otherwise. */
  readonly countingPatienceMs?: number;
  /** Where pictures of requests may be fetched from; the open internet unless told otherwise. */
  readonly isOpenAddress?: (address: string) => boolean;
}

/** The composition root: every dependency is made and passed here. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const services = await makeServices(parts);
  const bodies = new BodyReader(parts.config.bodies, parts.bodyPatienceMs);
  const door = new RelayDoor({
    bodies,
    ...{
      relay: services.relay,
      upstreamServices: services.upstreamServices,
      running: services.running,
      logger: parts.logger,
    },
    readerPatienceMs: parts.readerPatienceMs,
    addressOf: clientAddress(parts.config.trustedProxies),
  });
  const app = Fastify({
    serverFactory: (handle) => relayServer({ door, handle, logger: parts.logger }),
    loggerInstance: parts.logger,
    trustProxy: parts.config.trustedProxies.length > 0 ? [...parts.config.trustedProxies] : false,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    rewriteUrl: readableUrl,
    // Longer than any header Node accepts: a long parameter is judged by its row, not by the router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 },
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('preClose', async () => services.logCleaning.stop());
  // Before anything else is closed: what it hears makes services read the database.
  app.addHook('preClose', () => services.feed.close());
  logRequests(app);
  endConnectionsWhenClosing(app);
  endCallsPastGrace(app, services.running, parts.config.shutdownGraceMs);
  answerErrors(app);
  readBodies(app, parts.config.bodies, parts.bodyPatienceMs);
  await addSecurityHeaders(app);
  await app.register(cookie);
  limitRequests(app, parts.config.rateLimits);
  // What the API shows and changes is in the tables. Who asks the relay or for a page has no charge wait for him.
  app.addHook('onRequest', async ({ url, routeOptions }) => {
    if ((routeOptions.url ?? url).startsWith('/api')) await services.writer.catchUp();
  });
  await documentApi(app, parts.identity.version);
  serveHealth(app, () => answers(parts.database));
  mountRoutes(app, services, parts.identity);
  await app.register(relayRoutes({ ...services, bodies }));
  app.addHook('onClose', async () => {
    await services.running.idle();
    await services.writer.drain();
    await services.leasing?.close();
    await services.upstreamServices.close();
    // Last: whatever was finished until now may have something to tell by mail.
    await services.signIn.mails.close();
  });
  await serveConsole(app, parts.consoleDir);
  return app;
}

type Services = Awaited<ReturnType<typeof makeServices>>;

async function makeServices(parts: AppParts) {
  const { config, database, logger, countingPatienceMs, isOpenAddress } = parts;
  const box = new SecretBox(loadSecretKey(config.dataDir, config.secretKey));
  await checkSecretKey(database, box);
  const feed =
    config.databaseUrl === undefined ? localChangeFeed(logger) : await postgresChangeFeed(config.databaseUrl, logger);
  const inTransaction = transactionsOf(database, feed);

  const optionRepository = new OptionRepository(database);
  const options = new OptionService(optionRepository, box);
  feed.listen((change) => (change === 'options' || change === 'everything' ? options.load() : undefined));
  await options.load();
  const logRepository = new LogRepository(database);
  const logs = new LogService(logRepository, options);
  const logLists = new LogListRepository(database);
  const logSearch = new LogSearchRepository(database, logLists);
  const logCleaning = new LogCleaningService({ logRepository, logs, inTransaction });
  const optionChanges = new OptionChangeService({ repository: optionRepository, options, logs, box, inTransaction });
  const channels = new ChannelService({
    channels: new ChannelRepository(database),
    abilities: new AbilityRepository(database),
    ...{ logs, box, inTransaction },
  });
  const sessions = new SessionService(new SessionRepository(database));
  await sessions.forgetExpired();
  const tokens = new TokenService(new TokenRepository(database), box, inTransaction);
  const userRepository = new UserRepository(database);
  const users = new UserService(userRepository, sessions, inTransaction);
  const redemptions = new RedemptionService({
    redemptions: new RedemptionRepository(database),
    ...{ users, logs, options, box, inTransaction },
  });
  const userParts = { userRepository, users, sessions, tokens, logs, options, inTransaction };
  const knownIdentities = new KnownIdentities(new KnownIdentityRepository(database), box);
  await knownIdentities.fill();
  const accounts = new AccountService({ ...userParts, knownIdentities });
  const management = new UserManagementService({ ...userParts, accounts });
  const accessTokens = new AccessTokenService(userRepository);
  const codes = new CodeService(new CodeRepository(database), box);
  const tickets = new TicketService(new TicketRepository(database), box);
  const signIn = makeSignIn({
    ...{ config, logger, accounts, options, users, sessions, tokens, logs, inTransaction, codes, tickets, box },
    ...{ knownIdentities, factors: new SecondFactorRepository(database), passkeys: new PasskeyRepository(database) },
  });
  const leasing = await openLeasing({ config, database, logger }, inTransaction);
  const relaying = await makeRelaying({
    ...{ logger, channels, options, users, logs, inTransaction },
    ...{ mail: signIn.mail, home: signIn.home, notifier: signIn.notifier },
    ...{ settlements: new SettlementRepository(database), callerRows: new CallerRepository(database) },
    journal: leasing ? undefined : new ChargeJournalRepository(database),
    ...{ leases: leasing?.leases, timeouts: parts.upstreamTimeouts ?? upstreamTimeouts(options) },
    ...{ countingPatienceMs, isOpenAddress },
  });
  feed.listen((change) => relaying.relay.hear(change));
  return {
    ...{ box, feed, inTransaction, channels, options, logs, sessions, tokens, redemptions, users },
    ...{ userRepository, accounts, management, accessTokens, signIn, optionChanges },
    ...{ ...relaying, leasing },
    ...{ logLists, logSearch, logCleaning, ledger: new LedgerRepository(database) },
  };
}

/** Only PostgreSQL may have several nodes. */
async function openLeasing(
  { config, database, logger }: Pick<AppParts, 'config' | 'database' | 'logger'>,
  inTransaction: InTransaction,
) {
  if (config.databaseUrl === undefined) return undefined;
  const lock = await NodeLock.open(config.databaseUrl, (error) =>
    logger.warn({ err: error }, 'out of touch with the other nodes; trying again'),
  );
  const leases = new LeaseService({ leases: new LeaseRepository(database), inTransaction, touch: lock });
  await leases.forgetTheGone();
  const close = async () => {
    // Where that fails, the leases end with the lock.
    await leases.close().catch(() => undefined);
    await lock.close();
  };
  return { leases, close };
}

/** One line per table: what is not mounted here is not served. */
function mountRoutes(app: FastifyInstance, services: Services, identity: Identity): void {
  const { channels, options, sessions, tokens, redemptions, signIn } = services;
  const devices = new KnownDevices(services.box);
  const sessionCookie = new SessionCookie(sessions, services.accessTokens, devices, (user) =>
    signIn.secondFactor.isMissing(user),
  );
  serveTable(app, sessionCookie, statusApi, statusRoutes(options, identity));
  serveTable(app, sessionCookie, sessionApi, sessionRoutes({ ...signIn, sessions }));
  serveTable(app, sessionCookie, userApi, userRoutes(services));
  serveTable(app, sessionCookie, registrationApi, registrationRoutes(signIn));
  serveTable(app, sessionCookie, oauthApi, oauthRoutes(signIn));
  serveTable(app, sessionCookie, secondFactorApi, secondFactorRoutes(signIn));
  serveTable(app, sessionCookie, passkeyApi, passkeyRoutes(signIn));
  serveTable(app, sessionCookie, mailApi, mailRoutes(signIn.mail));
  serveTable(app, sessionCookie, groupApi, groupRoutes(options));
  serveTable(app, sessionCookie, modelApi, modelRoutes());
  serveTable(app, sessionCookie, optionApi, optionRoutes(options, services.optionChanges));
  serveTable(
    app,
    sessionCookie,
    channelApi,
    channelRoutes({ channels, tests: services.channelTests, upstream: services.channelUpstreams }),
  );
  serveTable(app, sessionCookie, tokenApi, tokenRoutes(tokens));
  serveTable(app, sessionCookie, redemptionApi, redemptionRoutes(redemptions));
  serveTable(app, sessionCookie, logApi, logRoutes(services));
  serveTable(app, sessionCookie, ledgerApi, ledgerRoutes(services.ledger));
  metricsRoutes(app, {
    identity: sessionCookie,
    relay: services.metrics,
    version: identity.version,
    settlementsWaiting: () => services.writer.unstored,
  });
}

async function answers(database: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(database);
    return true;
  } catch {
    return false;
  }
}
