import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { createFirstRoot } from '../accounts/users/first-root.ts';
import { UserRepository } from '../accounts/users/user-repository.ts';
import type { Config } from '../config.ts';
import { envVariableNames, processVariable, programVersion } from '../config.ts';
import { type ChangeFeed, type FeedLog, localChangeFeed, postgresChangeFeed } from '../platform/db/change-feed.ts';
import { copyInMemory } from '../platform/db/copy-in-memory.ts';
import { type Database, openForReading, openInMemory } from '../platform/db/database.ts';
import { appliedMigrations, migrate, schemaState } from '../platform/db/migrate.ts';
import { DatabaseInUse } from '../platform/db/process-lock.ts';
import type { TableName } from '../platform/db/rows.ts';
import { openServerDatabase } from '../platform/db/server-database.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { createLogger } from '../platform/logging/log-lines.ts';
import { SecretBox } from '../platform/secrets/secret-box.ts';
import {
  checkConfiguredKey,
  checkSecretKey,
  secretBoxFor,
  secretKeyFor,
} from '../platform/secrets/secret-check-repository.ts';
import { existingSecretKey } from '../platform/secrets/secret-key.ts';
import { databaseFile } from '../platform/storage/database-file.ts';
import { applyThroughServer, notListeningError } from './apply-socket.ts';
import { ConfigFile } from './config-file/config-file.ts';
import { validateFile } from './config-file/file-plan.ts';
import { planJson, planLines, planSummary } from './config-file/plan-lines.ts';
import { applyConfigFile, dryRunConfigFile } from './create-file-services.ts';

export interface ConfigFileCommand {
  readonly path: string;
  readonly isPruning: boolean;
  readonly print: (line: string) => void;
  /** True to print the plan as JSON. */
  readonly isJson?: boolean;
  /** How long to wait for a server on the same SQLite file to stop. */
  readonly patienceMs?: number;
  /** Environment lookup for secrets. */
  readonly variable?: (name: string) => string | undefined;
}

export type ConfigFileTarget = Pick<
  Config,
  'dataDir' | 'databaseUrl' | 'databaseLimits' | 'secretKey' | 'rootPassword'
>;

const readFile = (
  { path, variable = processVariable }: Pick<ConfigFileCommand, 'path' | 'variable'>,
  target: ConfigFileTarget,
) =>
  ConfigFile.read(path, {
    variable,
    ownVariables: envVariableNames,
    dataDir: target.dataDir,
    ownSecrets: gatewaySecrets(target, target.secretKey ?? existingSecretKey(target.dataDir)),
  });

/** The gateway's own secrets, which files must not contain. */
export const gatewaySecrets = (
  { databaseUrl, rootPassword }: Pick<Config, 'databaseUrl' | 'rootPassword'>,
  secretKey: string | undefined,
): readonly string[] => [secretKey, databaseUrl, rootPassword].filter((secret) => secret !== undefined);

/** Validates a file without a database and without its secrets. Throws ConfigFileError. */
export function runValidate({ path, print, variable = processVariable }: ConfigFileCommand): void {
  const sources = { variable, ownVariables: envVariableNames, dataDir: resolve('.no-data'), ownSecrets: [] };
  validateFile(ConfigFile.read(path, { ...sources, isOffline: true }));
  print(`${basename(path)} is valid.`);
}

/** Prints what apply would do; returns true if there are changes. A server may be running. */
export async function runPlan(command: ConfigFileCommand, target: ConfigFileTarget): Promise<boolean> {
  const file = readFile(command, target);
  const { database, box } = await openForPlan(target);
  try {
    const changes = await dryRunConfigFile(file, { database, box, ...rehearsalOptions(target, command.isPruning) });
    for (const line of command.isJson ? [planJson(changes)] : planLines(changes)) command.print(line);
    return changes.length > 0;
  } finally {
    await database.destroy();
  }
}

/**
 * Applies the file: through the server if one uses the SQLite file, otherwise in the database. On PostgreSQL running
 * nodes are notified.
 */
export async function runApply(command: ConfigFileCommand, target: ConfigFileTarget): Promise<void> {
  const file = validateFile(readFile(command, target));
  if (target.databaseUrl === undefined) {
    const order = { version: programVersion(), file: file.sent, isPruning: command.isPruning };
    const lines = await applyThroughServer(target.dataDir, order);
    for (const line of lines ?? []) command.print(line);
    if (lines) return;
  }
  const { database, close } = await openServerDatabase(target, {
    patienceMs: command.patienceMs,
    beforeMigration: (stored, isEmpty) => checkBeforeMigration(stored, isEmpty, { file, target }),
  }).catch((error: unknown) => {
    throw error instanceof DatabaseInUse ? notListeningError(databaseFile(target.dataDir), target.dataDir) : error;
  });
  try {
    await createFirstRoot(new UserRepository(database), target.rootPassword);
    const format = { log: createLogger('error'), isPruning: command.isPruning };
    const { changes, unconfirmed } = await applying(file, database, target, format);
    for (const line of planLines(changes)) command.print(line);
    if (changes.length > 0) command.print('Changes applied.');
    if (unconfirmed.length > 0) command.print(`Not yet confirmed by: ${unconfirmed.join(', ')}.`);
  } finally {
    await close();
  }
}

interface StartLog extends FeedLog {
  info(message: string): void;
}

/** Reads and validates the file of CONFIG_FILE; undefined without one. */
export const loadConfiguredFile = (config: ConfigFileTarget & Pick<Config, 'configFile'>): ConfigFile | undefined =>
  config.configFile === undefined ? undefined : validateFile(readFile({ path: config.configFile }, config));

interface MigrationChecks {
  readonly file: ConfigFile | undefined;
  readonly target: ConfigFileTarget;
}

/** Checks the secret key of an existing database, and applies the file to a copy of an empty one. */
export async function checkBeforeMigration(
  stored: Database,
  isEmpty: boolean,
  { file, target }: MigrationChecks,
): Promise<void> {
  if (!isEmpty) return checkConfiguredKey(stored, target);
  if (!file) return;
  const { database, box } = await openEmpty();
  try {
    await dryRunConfigFile(file, { database, box, ...rehearsalOptions(target) });
  } finally {
    await database.destroy();
  }
}

const rehearsalOptions = ({ rootPassword }: ConfigFileTarget, isPruning = false) => ({
  feed: localChangeFeed(createLogger('error')),
  isPruning,
  rootPassword,
});

/** Applies a configuration file before a node serves requests. Nothing is pruned. */
export async function applyAtStart(
  file: ConfigFile | undefined,
  target: ConfigFileTarget,
  database: Database,
  log: StartLog,
): Promise<void> {
  if (!file) return;
  const { changes } = await applying(file, database, target, { log, isPruning: false });
  if (changes.length > 0) log.info(`configuration file applied: ${planSummary(changes)}`);
}

async function applying(
  file: ConfigFile,
  database: Database,
  target: ConfigFileTarget,
  { log, isPruning }: { readonly log: FeedLog; readonly isPruning: boolean },
) {
  const box = await secretBoxFor(database, await secretKeyFor(database, target));
  await checkSecretKey(database, box);
  const feed: ChangeFeed =
    target.databaseUrl === undefined ? localChangeFeed(log) : await postgresChangeFeed(target.databaseUrl, log);
  try {
    return await applyConfigFile(file, { database, feed, box, isPruning });
  } finally {
    await feed.close();
  }
}

/**
 * Database for a dry run: PostgreSQL itself, or a copy of the relevant tables of a SQLite file, which another process
 * may be using. An empty database for a gateway that was never started.
 */
export async function openForPlan(target: ConfigFileTarget): Promise<{ database: Database; box: SecretBox }> {
  if (target.databaseUrl === undefined && !existsSync(databaseFile(target.dataDir))) return openEmpty();
  const database = await openForReading(target);
  let isKept = false;
  try {
    if ((await appliedMigrations(database)).length === 0) return await openEmpty();
    const box = await boxToPlan(database, target);
    isKept = target.databaseUrl !== undefined;
    return { database: isKept ? database : await copyInMemory(databaseFile(target.dataDir), dryRunTables), box };
  } finally {
    if (!isKept) await database.destroy();
  }
}

/** Tables a dry run needs: those read when a configuration file is applied. All other tables are only written. */
const dryRunTables: readonly TableName[] = [
  ...(['options', 'meta', 'users', 'tokens', 'known_identities', 'channels', 'channel_keys', 'abilities'] as const),
  ...([
    'prices',
    'limit_rules',
    'plans',
    'organizations',
    'organization_members',
    'former_members',
    'organization_invitations',
    'projects',
    'service_accounts',
    'budgets',
    'budget_periods',
    'routing_rules',
    'model_aliases',
    'managed_things',
    'alert_receivers',
    'log_exports',
    'alert_rules',
  ] as const),
];

async function openEmpty() {
  const database = openInMemory();
  await migrate(database);
  return { database, box: temporaryBox() };
}

const temporaryBox = () => new SecretBox(randomBytes(32).toString('base64url'));

async function boxToPlan(database: Database, target: ConfigFileTarget): Promise<SecretBox> {
  const { pending, mismatch } = await schemaState(database);
  if (pending.length > 0 || mismatch) {
    throw new StartFailure('The database belongs to another version of Headgate. Start this version once, then plan.');
  }
  await checkConfiguredKey(database, target);
  const key = target.secretKey ?? existingSecretKey(target.dataDir);
  return key === undefined ? temporaryBox() : secretBoxFor(database, key);
}
