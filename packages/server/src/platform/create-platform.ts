import { readTagRules, type TagRules } from '@headgate/contract';
import type { FastifyBaseLogger } from 'fastify';
import { CodeRepository } from './codes/code-repository.ts';
import { CodeService } from './codes/code-service.ts';
import { type ChangeFeed, localChangeFeed, postgresChangeFeed } from './db/change-feed.ts';
import { type Database, type DatabaseLocation, getDatabaseMetrics } from './db/database.ts';
import { createTransactions } from './db/transaction.ts';
import { EditService } from './edits/edit-service.ts';
import { EditedRowRepository } from './edits/edited-row-repository.ts';
import { MailQueue } from './mail/mail-queue.ts';
import { MailService } from './mail/mail-service.ts';
import { sendMail } from './mail/mail-transport.ts';
import { managedGuard } from './managed/managed-guard.ts';
import { ManagedRepository } from './managed/managed-repository.ts';
import { OptionRepository } from './options/option-repository.ts';
import { OptionService } from './options/option-service.ts';
import { PublicUrl } from './options/public-url.ts';
import { CounterRepository } from './rate-limits/counter-repository.ts';
import { type CounterFactory, GossipCounters, MemoryCounters } from './rate-limits/counters.ts';
import { LoginLimits } from './rate-limits/login-limits.ts';
import { RateLimiter, type RateLimits } from './rate-limits/rate-limits.ts';
import type { Lifecycle } from './runtime/lifecycle.ts';
import { checkSecretKey, secretBoxFor, secretKeyFor } from './secrets/secret-check-repository.ts';
import type { DatabaseMetrics } from './storage/database-metrics.ts';
import { TicketRepository } from './tickets/ticket-repository.ts';
import { TicketService } from './tickets/ticket-service.ts';

interface PlatformSettings extends DatabaseLocation {
  readonly secretKey: string | undefined;
  readonly publicUrl: string | undefined;
  readonly rateLimits: RateLimits;
}

interface PlatformDependencies {
  readonly config: PlatformSettings;
  readonly database: Database;
  /** Connections reserved for the relay; `database` if undefined. */
  readonly relayDatabase?: Database | undefined;
  /** Connections reserved for storing charges; the relay's if undefined. */
  readonly chargeDatabase?: Database | undefined;
  readonly logger: FastifyBaseLogger;
  readonly lifecycle: Lifecycle;
  /** How long the response to a change waits for confirmation by other nodes; a second by default. */
  readonly confirmingPatienceMs?: number | undefined;
}

export type Platform = Awaited<ReturnType<typeof createPlatform>>;

/** Rules of channel tags; the same object until the option changes. */
function tagRulesOf(options: OptionService): () => TagRules {
  let known: { readonly text: string; readonly rules: TagRules } = { text: '', rules: new Map() };
  return () => {
    const text = options.values.TagRules;
    if (text === known.text) return known.rules;
    const read = readTagRules(text);
    known = { text, rules: 'rules' in read ? read.rules : new Map() };
    return known.rules;
  };
}

/** Shared services: databases, transactions, change feed, secrets, options, limits and mail. */
export async function createPlatform(given: PlatformDependencies) {
  const { config, database, logger, lifecycle } = given;
  const { dataDir, databaseUrl } = config;
  const secretKey = await secretKeyFor(database, config);
  const box = await secretBoxFor(database, secretKey);
  await checkSecretKey(database, box);
  const optionRepository = new OptionRepository(database);
  const options = new OptionService(optionRepository, box);
  const mailing = createMail(given, options);
  const feed =
    databaseUrl === undefined
      ? localChangeFeed(logger)
      : await postgresChangeFeed(databaseUrl, logger, given.confirmingPatienceMs);
  feed.listen((change) => (change === 'options' || change === 'everything' ? options.load() : undefined));
  const relayDatabase = given.relayDatabase ?? database;
  const managedThings = new ManagedRepository(database);
  return {
    dataDir,
    /** Undefined on SQLite, where there is one process. */
    databaseUrl,
    location: config as DatabaseLocation,
    database,
    relayDatabase,
    tagRules: tagRulesOf(options),
    chargeDatabase: given.chargeDatabase ?? relayDatabase,
    databaseFigures: figuresByUse(given),
    logger,
    lifecycle,
    secretKey,
    box,
    feed,
    inTransaction: createTransactions(database, feed),
    inRelayTransaction: createTransactions(relayDatabase, feed),
    optionRepository,
    /** Not loaded yet. */
    options,
    homeAddress: new PublicUrl(options, config.publicUrl),
    managedThings,
    managed: managedGuard(managedThings),
    edits: new EditService(new EditedRowRepository(database)),
    codes: new CodeService(new CodeRepository(database), box),
    tickets: new TicketService(new TicketRepository(database), box),
    ...createRateLimits(given, feed),
    ...mailing,
  };
}

function createMail({ logger, lifecycle }: PlatformDependencies, options: OptionService) {
  const mails = new MailQueue({
    send: (mail) => sendMail(options.values, mail),
    onFailure: (error, willRetry) => logger.error({ err: error, willRetry }, 'mail could not be sent'),
  });
  lifecycle.add({ name: 'mail queue', stop: () => mails.close() });
  return { mails, mail: new MailService(options, mails) };
}

/** Counted across all nodes if there may be several. */
function createRateLimits({ config, database }: PlatformDependencies, { broadcasts }: ChangeFeed) {
  const { api, critical } = config.rateLimits;
  const countsFor: CounterFactory = (name, seconds) =>
    config.databaseUrl === undefined ? new MemoryCounters(seconds) : new CounterRepository(database, name, seconds);
  return {
    loginLimits: new LoginLimits(config.rateLimits, countsFor),
    requestLimiters: {
      api: new RateLimiter(api, 'tooManyRequests', new GossipCounters(broadcasts, 'api-calls', api.seconds)),
      critical: new RateLimiter(critical, 'tooManyRequests', countsFor('critical calls', critical.seconds)),
    },
  };
}

/** Metrics by connection pool. On SQLite all uses share one connection. */
function figuresByUse(given: PlatformDependencies): ReadonlyMap<string, DatabaseMetrics> {
  const { database, relayDatabase, chargeDatabase } = given;
  const uses: Readonly<Record<string, Database>> = relayDatabase
    ? { console: database, relay: relayDatabase, ...(chargeDatabase && { charges: chargeDatabase }) }
    : { all: database };
  return new Map(
    Object.entries(uses).flatMap(([use, one]) => {
      const figures = getDatabaseMetrics(one);
      return figures ? [[use, figures] as const] : [];
    }),
  );
}
