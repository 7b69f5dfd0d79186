import { readFileSync } from 'node:fs';
import { defaultRoot } from '@headgate/contract';
import type { ImportPlan, ImportSource, SourceLimits } from '@headgate/importer';
import { parseDocument } from 'yaml';
import { OrganizationMemberRepository } from '../accounts/organizations/organization-member-repository.ts';
import { OrganizationRepository } from '../accounts/organizations/organization-repository.ts';
import { ProjectRepository } from '../accounts/organizations/project-repository.ts';
import { PlanRepository } from '../accounts/plans/plan-repository.ts';
import { UserPlanRepository } from '../accounts/plans/user-plan-repository.ts';
import { ReferralRepository } from '../accounts/referrals/referral-repository.ts';
import { createFirstRoot } from '../accounts/users/first-root.ts';
import { KnownIdentities } from '../accounts/users/known-identities.ts';
import { KnownIdentityRepository } from '../accounts/users/known-identity-repository.ts';
import { verifyPassword } from '../accounts/users/password.ts';
import { UserRepository } from '../accounts/users/user-repository.ts';
import { AbilityRepository } from '../catalog/channels/ability-repository.ts';
import { ChannelKeyRepository } from '../catalog/channels/channel-key-repository.ts';
import { PriceRepository } from '../catalog/prices/price-repository.ts';
import type { Config } from '../config.ts';
import { awaitConfirmation } from '../platform/db/await-confirmation.ts';
import { localChangeFeed, postgresChangeFeed } from '../platform/db/change-feed.ts';
import type { Database } from '../platform/db/database.ts';
import { noDatabaseLimits } from '../platform/db/database-limits.ts';
import { openServerDatabase } from '../platform/db/server-database.ts';
import { createTransactions } from '../platform/db/transaction.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { createLogger } from '../platform/logging/log-lines.ts';
import { OptionRepository } from '../platform/options/option-repository.ts';
import { OptionService } from '../platform/options/option-service.ts';
import { checkSecretKey, secretBoxFor, secretKeyFor } from '../platform/secrets/secret-check-repository.ts';
import { LogRepository } from '../records/logs/log-repository.ts';
import { LogService } from '../records/logs/log-service.ts';
import { rollUpAll } from '../records/logs/rollup-repository.ts';
import { UnloggedQuotaRepository } from '../records/logs/unlogged-quota-repository.ts';
import type { ImportOutcome } from './importing/import-arguments.ts';
import { ImportRepository } from './importing/import-repository.ts';
import { ImportService } from './importing/import-service.ts';
import { ImportedBalanceRepository } from './importing/imported-balance-repository.ts';
import { ImportedPaymentRepository } from './importing/imported-payment-repository.ts';
import { LogImportService } from './importing/log-import-service.ts';
import { LogPositionRepository } from './importing/log-position-repository.ts';
import { spendOwners } from './importing/spend-owner-repository.ts';

/** Far larger than any configuration. */
const maxLength = 5_000_000;
/** Such files often contain aliases; more than this would exhaust the memory. */
const maxAliases = 1000;

/** Parses the config.yaml of LiteLLM. Its contents never appear in a message, because it may contain keys. */
function readLitellmConfig(path: string): unknown {
  const text = textOf(path);
  if (text.length > maxLength) throw new StartFailure(`File ${path} is larger than 5 MB.`);
  try {
    const document = parseDocument(text, { merge: true, logLevel: 'silent' });
    const [error] = document.errors;
    if (error) throw new StartFailure(`File ${path} is not YAML (line ${error.linePos?.[0].line ?? '?'}).`);
    return document.toJS({ maxAliasCount: maxAliases });
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(`File ${path} cannot be read as YAML.`, { cause: error });
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartFailure(`File ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  }
}

export interface ImportCommand {
  /** A SQLite file, or the address of a database server. */
  readonly from: string;
  /** Name of the source in later runs; by default, its kind. */
  readonly as?: string | undefined;
  readonly isDryRun: boolean;
  /** Time of the first log to import, in seconds; undefined for none. */
  readonly logsSince: number | undefined;
  /** LiteLLM's config.yaml, in addition to its database. */
  readonly configFile?: string | undefined;
  /** Reads a variable that LiteLLM's config.yaml refers to; none by default. */
  readonly environment?: ((variable: string) => string | undefined) | undefined;
  /** Keys with which LiteLLM may have encrypted its models. */
  readonly litellmSecrets?: readonly string[] | undefined;
  readonly print: (line: string) => void;
  /** How long to wait for a server on the same SQLite file to stop. */
  readonly patienceMs?: number;
  /** How long to wait for running nodes to load the imported data. */
  readonly nodesPatienceMs?: number;
  /** Timeouts of the source, if it is a server. */
  readonly sourceLimits?: SourceLimits;
}

/** A million users are imported in one transaction, while the source connection is idle. */
const importDatabaseLimits = { ...noDatabaseLimits, lockMs: 30_000 };

/** A busy node may need several seconds. */
const defaultNodesTimeoutMs = 15_000;

type ImportTarget = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseLimits' | 'secretKey' | 'rootPassword'>;

type Importer = typeof import('@headgate/importer');

/** Imports another gateway's database into the configured one. Throws a StartFailure if it cannot. */
export async function runImport(command: ImportCommand, target: ImportTarget): Promise<ImportOutcome> {
  const importer = await import('@headgate/importer');
  try {
    return await runWith(importer, command, target);
  } catch (error) {
    throw error instanceof importer.ImportError ? new StartFailure(error.message, { cause: error }) : error;
  }
}

async function runWith(importer: Importer, command: ImportCommand, target: ImportTarget): Promise<ImportOutcome> {
  const { openSource, configFileSource, isConfigFile, escapeControlCharacters } = importer;
  const { from } = command;
  const configFile = isConfigFile(from) ? from : command.configFile;
  const config = configFile === undefined ? undefined : readLitellmConfig(configFile);
  const source = isConfigFile(from) ? configFileSource(from) : await openSource(from, command.sourceLimits);
  const print = (line: string) => command.print(escapeControlCharacters(line));
  try {
    const { database, close } = await openServerDatabase(
      { ...target, databaseLimits: importDatabaseLimits },
      { patienceMs: command.patienceMs },
    );
    try {
      await importInto(database, source, { ...command, config, print, importer }, target);
      return { kind: source.kind, hasLogs: !isConfigFile(from) };
    } catch (error) {
      throw writeError(error, escapeControlCharacters);
    } finally {
      await close();
    }
  } finally {
    await source.close();
  }
}

/** PostgreSQL messages may contain values of a row; error codes do not. */
function writeError(error: unknown, escapeControlCharacters: Importer['escapeControlCharacters']): unknown {
  if (!(error instanceof Error) || error instanceof StartFailure || !('code' in error)) return error;
  const reason = error.code === 'ERR_SQLITE_ERROR' ? error.message : error.code;
  return new StartFailure(
    `The database rejected the data (${escapeControlCharacters(String(reason))}). Nothing of this step was stored. Run the same command again.`,
    { cause: error },
  );
}

interface LoadedImport extends ImportCommand {
  readonly importer: Importer;
  /** Parsed config.yaml of LiteLLM. */
  readonly config: unknown;
}

/** Rejects options that do not fit the kind of source. */
function openedLine({ kind, location }: ImportSource, { importer, from, configFile, logsSince }: LoadedImport): string {
  if (kind !== 'litellm' && configFile !== undefined) throw new StartFailure('--config is only for LiteLLM.');
  const isFile = importer.isConfigFile(from);
  if (isFile && logsSince !== undefined)
    throw new StartFailure('A configuration file has no logs. Run the command without --logs-since.');
  return `${location} is a ${importer.sourceKinds[kind]} ${isFile ? 'configuration file' : 'database'}.`;
}

async function importInto(database: Database, source: ImportSource, command: LoadedImport, target: ImportTarget) {
  const { print, isDryRun, logsSince, config, environment = () => undefined } = command;
  const { as: name = source.kind, litellmSecrets: secrets = [] } = command;
  const { reportLines } = command.importer;
  const { imports, logImports, close } = await makeServices(database, target, command);
  try {
    print(openedLine(source, command));
    const onPlan = ({ superAdmin, reports }: ImportPlan) => {
      print(superAdmin);
      for (const line of reportLines(reports)) print(line);
    };
    const { unconfirmed } = await awaitConfirmation(() =>
      imports.run(source, { name, litellm: { config, environment, secrets }, isDryRun, onPlan }),
    );
    if (isDryRun && logsSince !== undefined)
      print('logs: not read in a dry run; they are imported page by page after everything else');
    print(isDryRun ? 'Dry run: nothing was written.' : 'Import finished.');
    if (unconfirmed.length > 0)
      print(
        `These nodes have not confirmed the imported data yet; restart them if they do not serve it: ${unconfirmed.join(', ')}.`,
      );
    if (isDryRun || logsSince === undefined) return;
    const onProgress = ({ read }: { readonly read: number }) => print(`logs: ${read} read`);
    const { read, stored, skipped } = await logImports.run(source, { name, since: logsSince, onProgress });
    await rollUpAll(database);
    print(`logs: ${read} read, ${stored} imported, ${read - stored} skipped`);
    for (const [reason, count] of skipped) print(`  skipped: ${count} logs of ${reason}`);
  } finally {
    await close();
  }
}

async function makeServices(
  database: Database,
  { dataDir, databaseUrl, secretKey, rootPassword }: ImportTarget,
  { importer, nodesPatienceMs = defaultNodesTimeoutMs }: LoadedImport,
) {
  const logger = createLogger('error');
  const box = await secretBoxFor(database, await secretKeyFor(database, { dataDir, secretKey }));
  await checkSecretKey(database, box);
  await createFirstRoot(new UserRepository(database), rootPassword);
  const feed =
    databaseUrl === undefined
      ? localChangeFeed(logger)
      : await postgresChangeFeed(databaseUrl, logger, nodesPatienceMs);
  const inTransaction = createTransactions(database, feed);
  const repository = new ImportRepository(database);
  await repository.enlargeCache();
  const positions = new LogPositionRepository(database);
  const knownIdentities = new KnownIdentities(new KnownIdentityRepository(database), box);
  const options = new OptionService(new OptionRepository(database), box);
  return {
    imports: new ImportService({
      plan: importer.planImport,
      imports: repository,
      abilities: new AbilityRepository(database),
      channelKeys: new ChannelKeyRepository(database),
      logBounds: positions,
      prices: new PriceRepository(database),
      knownIdentities,
      organizations: {
        organizations: new OrganizationRepository(database),
        members: new OrganizationMemberRepository(database),
        projects: new ProjectRepository(database),
        balances: new ImportedBalanceRepository(database),
      },
      payments: {
        plans: new PlanRepository(database),
        userPlans: new UserPlanRepository(database),
        referrals: new ReferralRepository(database),
        payments: new ImportedPaymentRepository(database),
      },
      isStartPassword: (hash) => verifyPassword(rootPassword ?? defaultRoot.password, hash),
      box,
      inTransaction,
    }),
    logImports: new LogImportService({
      mapLog: importer.mapLog,
      logs: new LogService(new LogRepository(database), options),
      positions,
      unlogged: { within: (transaction) => new UnloggedQuotaRepository(transaction.database) },
      importedIds: (source) => repository.imported(source),
      spendOwners: (source) => spendOwners(database, source),
      quotaPerUnit: async () => (await options.read(new OptionRepository(database))).QuotaPerUnit,
      inTransaction,
    }),
    close: () => feed.close(),
  };
}
