import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { createFirstRoot } from '../accounts/users/first-root.ts';
import { recommendedMemoryKib } from '../accounts/users/password.ts';
import { UserRepository } from '../accounts/users/user-repository.ts';
import { type Config, consoleFolder, docsFolder, programVersion } from '../config.ts';
import { inertContentHeaders } from '../http/security-headers.ts';
import { databaseUnreachable } from '../platform/db/database.ts';
import { waitForDatabase } from '../platform/db/wait-for-database.ts';
import { isDatabaseUnreachable, isLoginRejected } from '../platform/errors/database-unreachable.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { createLogger } from '../platform/logging/log-lines.ts';
import { createServer } from '../platform/outgoing/node-http.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import { Shutdown } from '../platform/runtime/shutdown.ts';
import { existingSecretKey } from '../platform/secrets/secret-key.ts';
import { pathsAccessibleToOthers } from '../platform/storage/data-folder.ts';
import { applyAtStart, checkBeforeMigration, loadConfiguredFile } from '../settings/config-file-commands.ts';
import { buildApp } from './app/build-app.ts';
import { shutDownGracefully } from './graceful-shutdown.ts';
import type { ThisWorker } from './workers/this-worker.ts';

/** Resolves once requests are served. Start failures, including a lost database, are thrown as StartFailure. */
export async function startNode(config: Config, worker: ThisWorker | undefined): Promise<void> {
  try {
    await start(config, worker);
  } catch (error) {
    const isLost = isDatabaseUnreachable(error) || isLoginRejected(error);
    if (config.databaseUrl === undefined || !isLost) throw error;
    throw databaseUnreachable(config.databaseUrl, error);
  }
}

/** Order: settings, port, database. This way a failed start changes nothing. */
async function start(config: Config, worker: ThisWorker | undefined): Promise<void> {
  const logger = createLogger(config.logLevel);
  const file = loadConfiguredFile(config);
  // Rejects a damaged file.
  if (config.secretKey === undefined) existingSecretKey(config.dataDir);
  // Later workers share the port of the first.
  const port = worker?.isFirst === false ? undefined : await reservePort(config);
  const served = await waitForDatabase(config, logger, (stored, isEmpty) =>
    checkBeforeMigration(stored, isEmpty, { file, target: config }),
  );
  const { database, relayDatabase, chargeDatabase, close: closeDatabase } = served;
  const wasNew = await createFirstRoot(new UserRepository(database), config.rootPassword, config.passwordKib);
  await applyAtStart(file, config, database, logger).catch(async (error: unknown) => {
    await closeDatabase();
    throw error;
  });
  const version = programVersion();
  for (const path of openHere(config.dataDir))
    logger.warn({ path }, 'other users of this machine can access this path');
  if (config.passwordKib < recommendedMemoryKib)
    logger.warn({ recommended: recommendedMemoryKib }, 'PASSWORD_HASH_KIB is below the recommended minimum');
  const identity = { version, startTime: nowInSeconds(), publicUrl: config.publicUrl };
  const shutdown = new Shutdown();
  const app = await buildApp({
    config,
    database,
    relayDatabase,
    chargeDatabase,
    logger,
    shutdown,
    identity,
    consoleDir: consoleFolder,
    docsDir: docsFolder,
    gatheredMetrics: worker?.metrics,
  });
  await app.ready();
  port?.release();
  const address = await listen(app, config);
  const close = async () => {
    try {
      await app.close();
    } finally {
      await closeDatabase();
    }
  };
  shutDownGracefully({
    shutdown,
    drainMs: config.shutdownDrainMs,
    close,
    graceMs: config.shutdownGraceMs,
    logger,
    worker,
  });
  // Flushes earlier log lines first.
  logger.flush();
  const readyLine = `Headgate ${version} is ready at ${address}. ${signInHint(wasNew, config)}`;
  if (worker) worker.tellReady({ readyLine });
  else process.stdout.write(`${readyLine}\n`);
}

/**
 * Returns an empty list if the folder cannot be read: with PostgreSQL and a configured key the folder is not needed,
 * and otherwise the error is reported when it is used.
 */
function openHere(dataDir: string): readonly string[] {
  try {
    return pathsAccessibleToOthers(dataDir);
  } catch {
    return [];
  }
}

function signInHint(wasNew: boolean, config: Config): string {
  if (!wasNew) return 'Log in with your account.';
  return config.rootPassword === undefined
    ? 'Log in as root with password 123456 and change it.'
    : 'Log in as root with the password from ROOT_PASSWORD.';
}

type ListenAddress = Pick<Config, 'host' | 'port'>;

const startingBody = JSON.stringify({
  error: { message: 'The gateway is starting', type: 'server_error', param: null, code: 'starting' },
});

const startingHeaders = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(startingBody),
  'retry-after': '1',
  connection: 'close',
  ...inertContentHeaders,
};

const maxConnections = 1000;

/**
 * Binds the port before using the database, so that a start that cannot listen changes nothing. Returns 503 for every
 * request until released.
 */
async function reservePort({ host, port }: ListenAddress): Promise<{ release(): void }> {
  const server = createServer((_, response) => response.writeHead(503, startingHeaders).end(startingBody));
  server.maxConnections = maxConnections;
  server.listen({ host, port });
  await once(server, 'listening').catch((error: unknown) => {
    throw listenFailure(error, { host, port });
  });
  return {
    release: () => {
      // Closes connections too, so that a slow client does not delay the start.
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Resolves with the address. */
async function listen(app: FastifyInstance, { host, port }: ListenAddress): Promise<string> {
  const level = app.log.level ?? 'info';
  try {
    // Replaced by our own ready line.
    app.log.level = 'silent';
    return await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenFailure(error, { host, port });
  } finally {
    app.log.level = level;
  }
}

function listenFailure(error: unknown, { host, port }: ListenAddress): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return code === 'EADDRINUSE'
    ? new StartFailure(`Port ${port} on ${host} is already in use; set PORT to another.`)
    : new StartFailure(`Cannot listen on ${host}:${port} (${code}); check HOST and PORT.`);
}
