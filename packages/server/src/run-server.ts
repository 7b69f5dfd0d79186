import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { nowInSeconds } from './clock.ts';
import { type Config, readProcessConfig } from './config.ts';
import { openToOthers } from './data-folder.ts';
import { waitForDatabase } from './db/wait-for-database.ts';
import { endInOrder } from './ending.ts';
import { createLogger } from './log-lines.ts';
import { Shutdown } from './shutdown.ts';
import { StartFailure } from './start-failure.ts';
import { createFirstRoot } from './users/first-root.ts';
import { UserRepository } from './users/user-repository.ts';

const packageFile = new URL('../package.json', import.meta.url);
const consoleDir = fileURLToPath(new URL('../../console/dist', import.meta.url));

/** Resolves when requests are served; what stands in the way is said, and ends the process. */
export async function runServer(): Promise<void> {
  try {
    await start(readProcessConfig());
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    process.stderr.write(`headgate: ${error.message}\n`);
    process.exit(1);
  }
}

async function start(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  const { database, relayDatabase, close: closeDatabase } = await waitForDatabase(config, logger);
  const wasNew = await createFirstRoot(new UserRepository(database), config.rootPassword);
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  for (const path of openToOthers(config.dataDir)) logger.warn({ path }, 'others on this machine can reach this');
  const identity = { version, startTime: nowInSeconds(), publicUrl: config.publicUrl };
  const shutdown = new Shutdown();
  const app = await buildApp({ config, database, relayDatabase, logger, shutdown, identity, consoleDir });
  const address = await listen(app, config);
  const close = async () => {
    await app.close();
    // Not as a hook of the app: those run in the order in which the last comes first.
    await closeDatabase();
  };
  endInOrder({ shutdown, drainMs: config.shutdownDrainMs, close, graceMs: config.shutdownGraceMs, logger });
  // What was said before comes before.
  logger.flush();
  process.stdout.write(`Headgate ${version} is ready at ${address}. ${signInHint(wasNew, config)}\n`);
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  const level = app.log.level ?? 'info';
  try {
    // The ready line says it better than the framework's own.
    app.log.level = 'silent';
    return await app.listen({ host, port });
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartFailure(`Port ${port} on ${host} is already in use; set PORT to another.`);
    if (code === undefined) throw error;
    throw new StartFailure(`Cannot listen on ${host}:${port} (${code}); check HOST and PORT.`);
  } finally {
    app.log.level = level;
  }
}

function signInHint(wasNew: boolean, config: Config): string {
  if (!wasNew) return 'Sign in with your account.';
  return config.rootPassword === undefined
    ? 'Sign in as root with password 123456 and change it.'
    : 'Sign in as root with the password from ROOT_PASSWORD.';
}
