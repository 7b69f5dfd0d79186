import { join } from 'node:path';
import { type Access, defaultGroup, type OptionKey, role, sessionApi, userStatus } from '@headgate/contract';
import type { Timeouts } from '@headgate/relay';
import { ApiClient } from '@headgate/testkit';
import type { FastifyInstance } from 'fastify';
import type { Insertable, LogEvent } from 'kysely';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import type { PaymentTiming } from '../accounts/create-payments.ts';
import { createFirstRoot } from '../accounts/users/first-root.ts';
import { UserRepository } from '../accounts/users/user-repository.ts';
import { type Config, readConfig } from '../config.ts';
import type { AlertTiming } from '../observability/alerts/alert-timing.ts';
import type { Database, DatabaseLocation } from '../platform/db/database.ts';
import type { UserRow } from '../platform/db/rows.ts';
import type { Schema } from '../platform/db/schema.ts';
import { openServerDatabase } from '../platform/db/server-database.ts';
import { createLogger } from '../platform/logging/log-lines.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { Shutdown } from '../platform/runtime/shutdown.ts';
import { SecretBox } from '../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../platform/secrets/secret-key.ts';
import type { AppDependencies } from '../process/app/app-dependencies.ts';
import { buildApp } from '../process/app/build-app.ts';
import type { IdleTimeouts } from '../relay/leases/idle-callers.ts';
import { fastPasswordHash } from './accounts/fast-password-hash.ts';
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from './database/test-database.ts';
import { storeOptions } from './settings/store-options.ts';

export interface TestAppOptions {
  readonly config?: Partial<Config>;
  readonly consoleDir?: string;
  readonly docsDir?: string;
  readonly upstreamTimeouts?: Timeouts;
  readonly readerPatienceMs?: number;
  readonly bodyPatienceMs?: number;
  /** Set in tests where nodes do not confirm a change; other tests wait as long as necessary. */
  readonly confirmingPatienceMs?: number;
  /** Receives log lines of errors and warnings. */
  readonly onLine?: (line: string) => void;
  /** When points are returned and users evicted. */
  readonly idleTimes?: IdleTimeouts;
  /** Clock for cooldowns, and how often they are checked. */
  readonly pausing?: { readonly clock: () => number; readonly everyMs: number };
  /** Interval for deleting expired payloads, and the memory limit for payloads waiting to be stored. */
  readonly keptBodies?: AppDependencies['keptBodies'];
  /** Free disk space as reported to the app. */
  readonly freeBytes?: () => Promise<number>;
  /** Set if the test begins the shutdown itself before it closes the app. */
  readonly shutdown?: Shutdown;
  /** Addresses from which images may be fetched; set by tests that run an image server. */
  readonly isOpenAddress?: (address: string) => boolean;
  /** TXT records of domains of organizations. */
  readonly resolveTxt?: AppDependencies['resolveTxt'];
  /** Interval between checks of verified domains. */
  readonly domainCheckMs?: AppDependencies['domainCheckMs'];
  /** Clock and interval of alerts. */
  readonly alertPace?: AlertTiming;
  /** Clock and interval of queries about open orders. */
  readonly paymentTiming?: PaymentTiming;
  /** Called after every statement. */
  readonly onStatement?: (event: LogEvent) => void;
  /**
   * Starts the app as another node: it shares the database and files of this one, which must be closed last.
   * PostgreSQL only.
   */
  readonly beside?: TestApp;
  /** A database that outlives the app, for a later start. */
  readonly on?: Pick<TestDatabase, 'location'>;
  /** How long to wait for the previous app on a SQLite file to end. */
  readonly patienceMs?: number;
  /** Stored before the app reads them. */
  readonly options?: Partial<Record<OptionKey, string>>;
  /** Stores no options except the given ones. */
  readonly isUntouched?: true;
  /** Extends the app before it listens, for example with a failing route. */
  readonly extend?: (app: FastifyInstance, database: Database) => void;
}

export interface TestUser extends UserRow {
  readonly password: string;
}

export type NewTestUser = Partial<Insertable<Schema['users']>> & { readonly password?: string };

/** The real app on a real port, with its own database and the first root. */
export interface TestApp {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly location: DatabaseLocation;
  /** A visitor without cookies. */
  client(): ApiClient;
  /** Signs in through the API. */
  signedIn(username: string, password: string): Promise<ApiClient>;
  /** A visitor, or a new user of that role in a new session. */
  as(access: Access): Promise<ApiClient>;
  /** Inserts a user directly; enabled and ordinary by default. */
  createUser(user?: NewTestUser): Promise<TestUser>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Sets the price that `plainPrice` is based on, regardless of the built-in list, and adds the prices of the test. */
const testRatios = (given = '{}') => JSON.stringify({ 'gpt-4o': 2.5, ...JSON.parse(given) });

/** Options for an app on a database that the test creates itself. */
export const plainPrices = { ModelRatio: testRatios() };

/**
 * Most tests use models without a price and cause more failures than the retry budget allows. A database that outlives
 * the app keeps its own options.
 */
const defaultOptions = ({ on, beside, isUntouched, options }: TestAppOptions): TestAppOptions['options'] =>
  on || beside || isUntouched
    ? options
    : {
        ModelsWithoutPrice: 'charge',
        RetryBudgetPercent: '1000',
        ...options,
        ModelRatio: testRatios(options?.ModelRatio),
      };

/** No rate limits, and password hashes at the lowest cost. */
const testSettings = { API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0', PASSWORD_HASH_KIB: '8' };

/** Long timeouts, so that neither blocking tests nor slow machines reach them. */
const longTimeouts: Config['databaseLimits'] = { statementMs: 60_000, lockMs: 60_000, idleMs: 60_000 };

/** One app for a whole test file, closed after its last test: `const app = await useTestApp();` at the top. */
export async function useTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startTestApp(options);
  afterAll(() => app.close());
  return app;
}

/** An app for one test: `await using app = await startTestApp({ … });`. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  await using started = new AsyncDisposableStack();
  const { location } = options.beside ?? options.on ?? started.use(await databaseFor(options));
  const config: Config = { ...readConfig(testSettings), databaseLimits: longTimeouts, ...location, ...options.config };
  const {
    database,
    relayDatabase,
    chargeDatabase,
    close: closeDatabase,
  } = await openServerDatabase(config, {
    ...options,
    onStatement: options.onStatement && withoutClockwork(options.onStatement),
  });
  started.defer(closeDatabase);
  await createFirstRoot(new UserRepository(database), config.rootPassword);
  const box = new SecretBox(loadSecretKey(config.dataDir, config.secretKey));
  await storeOptions(database, box, defaultOptions(options) ?? {});
  const identity = { version: '0.0.0-test', startTime: nowInSeconds(), publicUrl: config.publicUrl };
  const consoleDir = options.consoleDir ?? join(location.dataDir, 'no-console');
  const app = await buildApp({
    config,
    database,
    relayDatabase,
    chargeDatabase,
    identity,
    consoleDir,
    docsDir: options.docsDir ?? join(location.dataDir, 'no-docs'),
    logger: loggerFor(options),
    // Token counting that exceeds its timeout would be replaced by an estimate.
    countingPatienceMs: 60_000,
    confirmingPatienceMs: 30_000,
    // On a slow machine several seconds may pass between two requests of a test.
    idleTimes: { checkEveryMs: 1000, returnAfterMs: 600_000, evictAfterMs: 600_000 },
    // Disabled, because cached usage would hide later writes.
    usageCacheMs: 0,
    ...definedOptions(options),
  });
  started.defer(() => app.close());
  options.extend?.(app, database);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  // From here on the test closes everything; an earlier failure closes it automatically.
  const running = started.move();
  const close = () => running.disposeAsync();
  return {
    url,
    app,
    database,
    location,
    ...people(url, database, nameFor(options)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A first root with a custom password is created at the first start, so such a test gets an empty database. */
const databaseFor = ({ config }: TestAppOptions) =>
  config?.rootPassword === undefined ? createMigratedDatabase() : createTestDatabase();

/** Options passed to the app unchanged. */
const passedOptions = [
  'shutdown',
  'freeBytes',
  'upstreamTimeouts',
  'readerPatienceMs',
  'bodyPatienceMs',
  'confirmingPatienceMs',
  'isOpenAddress',
  'resolveTxt',
  'domainCheckMs',
  'alertPace',
  'paymentTiming',
  'idleTimes',
  'pausing',
  'keptBodies',
] as const;

const definedOptions = (options: TestAppOptions): Partial<Pick<AppDependencies, (typeof passedOptions)[number]>> =>
  Object.fromEntries(passedOptions.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));

const loggerFor = ({ onLine }: TestAppOptions) =>
  onLine ? pino({ level: 'warn' }, { write: onLine }) : createLogger('silent');

/** Periodic background statements, which are not part of any test. */
const periodicStatements = [
  /^(?:insert into|delete from) nodes /,
  // Applying pending changes, checking storage, creating months, and reclaiming leases of dead nodes.
  /^with mine|from options where false|query_only|pg_inherits|from \(select distinct node from leases\)/,
  /^update "orders" set "leased_ms"/,
  // Ending cooldowns, budget notifications, and deleting expired payloads.
  /^(?:delete from|update) "(?:channel_pauses|kept_bodies|body_keepings|stored_response(?:s|_items))"|"noticed" </,
];

const withoutClockwork = (next: (event: LogEvent) => void) => (event: LogEvent) => {
  if (!periodicStatements.some((form) => form.test(event.query.sql))) next(event);
};

/** Users of an earlier app may still be in the database. */
let starts = 0;
const nameFor = ({ beside, on }: TestAppOptions): string => {
  starts += 1;
  return beside || on ? `other${starts}x` : 'user';
};

const roleOf = { user: role.common, admin: role.admin, root: role.root } as const;

function people(
  url: string,
  database: Database,
  name: string,
): Pick<TestApp, 'client' | 'signedIn' | 'as' | 'createUser'> {
  let created = 0;
  const client = () => new ApiClient(url);
  const signedIn = async (username: string, password: string) => {
    const signingIn = client();
    await signingIn.call(sessionApi.login, { body: { username, password } });
    return signingIn;
  };
  const createUser = async ({ password = 'correct horse', ...given }: NewTestUser = {}) => {
    created += 1;
    const quotas = { quota: 0, used_quota: 0, ...given };
    const credited = quotas.quota + quotas.used_quota;
    // Usage from before the test is not logged.
    const unlogged_quota = quotas.used_quota;
    const values = {
      ...plainUser(`${name}${created}`),
      password_hash: fastPasswordHash(password),
      credited,
      unlogged_quota,
      ...given,
    };
    const row = await database.insertInto('users').values(values).returningAll().executeTakeFirstOrThrow();
    return { ...row, password };
  };
  const as = async (access: Access) => {
    if (access === 'visitor') return client();
    const { username, password } = await createUser({ role: roleOf[access] });
    return signedIn(username, password);
  };
  return { client, signedIn, as, createUser };
}

const plainUser = (username: string) => ({
  username,
  display_name: '',
  role: role.common as number,
  status: userStatus.enabled as number,
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: defaultGroup,
  inviter_id: 0,
  created_time: nowInSeconds(),
});
