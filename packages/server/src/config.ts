import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { stripTrailingSlash } from '@headgate/contract';
import { z } from 'zod';
import { recommendedMemoryKib } from './accounts/users/password.ts';
import type { BodyLimits } from './http/bodies/body-reader.ts';
import { readTraceSettings, type TraceSettings, traceVariables } from './observability/traces/trace-settings.ts';
import { type DatabaseLimits, defaultDatabaseLimits, type SqliteSynchronous } from './platform/db/database-limits.ts';
import { StartFailure } from './platform/errors/start-failure.ts';
import { allowedProviderUrls, type ProviderUrls, providerUrlsSetting } from './platform/outgoing/provider-urls.ts';
import { type RateLimits, rateLimits } from './platform/rate-limits/rate-limits.ts';
import { isAddressRange } from './platform/runtime/address-range.ts';

// Relative to this file. Bundles of the server are written to folders of the same depth.
const packageFile = new URL('../package.json', import.meta.url);
export const consoleFolder = fileURLToPath(new URL('../../console/dist', import.meta.url));
export const docsFolder = fileURLToPath(new URL('../../site/dist', import.meta.url));
/** Root folder of the package, or of the checkout. */
const rootFolder = ['../..', '../../..'].find((path) => existsSync(new URL(`${path}/docs/start.md`, import.meta.url)));
export const docsPagesFolder = fileURLToPath(new URL(`${rootFolder ?? '../..'}/docs`, import.meta.url));
export const readmeFile = fileURLToPath(new URL(`${rootFolder ?? '../..'}/README.md`, import.meta.url));

export const programVersion = (): string =>
  // trusted JSON: the package manifest of this program.
  (JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string }).version;

const addressRange = z.string().refine(isAddressRange, 'must be IP addresses or CIDR ranges separated by commas');

const countOr = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number from 0 (no limit) to 999999999')
    .transform(Number)
    .default(max);

const megabytes = (usual: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a whole number of megabytes from 1 to 9999')
    .transform(Number)
    .default(usual)
    .transform((given) => given * 1024 * 1024);

const seconds = (usualMs: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a whole number of seconds from 1 to 9999')
    .transform((given) => Number(given) * 1000)
    .default(usualMs);

const secondsOrNone = (usual: number) =>
  z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number of seconds from 0 to 9999')
    .transform(Number)
    .default(usual)
    .transform((given) => given * 1000);

const kib = z
  .string()
  .regex(/^\d{1,7}$/, 'must be a whole number from 8 to 1048576')
  .transform(Number)
  .pipe(
    z
      .int()
      .min(8, 'must be a whole number from 8 to 1048576')
      .max(1_048_576, 'must be a whole number from 8 to 1048576'),
  )
  .default(recommendedMemoryKib);

const variables = {
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535')
    .transform(Number)
    .pipe(z.int().max(65_535, 'must be a port number from 0 to 65535'))
    .default(3000),
  WORKERS: z
    .string()
    .regex(/^(auto|[1-9]\d{0,2})$/, 'must be auto, or a whole number from 1 to 999')
    .default('1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/./, 'must start with postgres://, or be unset to use SQLite in DATA_DIR')
    .optional(),
  DATABASE_WAIT_SECONDS: secondsOrNone(30),
  DATABASE_STATEMENT_SECONDS: seconds(defaultDatabaseLimits.statementMs),
  DATABASE_LOCK_SECONDS: seconds(defaultDatabaseLimits.lockMs),
  DATABASE_IDLE_SECONDS: seconds(defaultDatabaseLimits.idleMs),
  SQLITE_SYNCHRONOUS: z.enum(['normal', 'full'], { error: 'must be normal or full' }).default('normal'),
  SECRET_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(addressRange))
    .default([]),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
  MAX_BODY_MB: megabytes(64),
  BODY_BUDGET_MB: megabytes(256),
  API_RATE_LIMIT: countOr(rateLimits.api.most),
  CRITICAL_RATE_LIMIT: countOr(rateLimits.critical.most),
  LOGIN_RATE_LIMIT: countOr(rateLimits.loginAccount.most),
  PASSWORD_HASH_KIB: kib,
  SHUTDOWN_DRAIN_SECONDS: secondsOrNone(5),
  SHUTDOWN_GRACE_SECONDS: secondsOrNone(25),
  PUBLIC_URL: z
    .string()
    .regex(/^https?:\/\/[^\s/]+/, 'must start with http:// or https://')
    .refine((url) => URL.canParse(url), 'must be a URL such as https://gateway.example')
    .transform(stripTrailingSlash)
    .optional(),
  NODE_NAME: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'must be at most 64 letters, digits or any of . : _ -')
    .optional(),
  LOGIN_PROVIDER_URLS: providerUrlsSetting.optional(),
  // Must not exceed what login accepts.
  ROOT_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(200, 'must have at most 200 characters')
    .optional(),
  CONFIG_FILE: z.string().min(1).max(4000).optional(),
  EXPORT_PASSPHRASE: z.string().max(1000, 'must have at most 1000 characters').optional(),
  IMPORT_FROM: z.string().max(4000, 'must have at most 4000 characters').optional(),
} satisfies Record<string, z.ZodType>;

/** Every environment variable that is read, in the order of the table. */
export const envVariableNames = [...(Object.keys(variables) as (keyof typeof variables)[]), ...traceVariables] as const;
export type EnvVariableName = (typeof envVariableNames)[number];

/** An address may be shared by several users. */
const accountsPerAddress = rateLimits.loginAddress.most / rateLimits.loginAccount.most;

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Number of processes behind one port. */
  readonly workers: number;
  readonly dataDir: string;
  /** Undefined for SQLite in the data directory. */
  readonly databaseUrl: string | undefined;
  /** How long a start waits for an unreachable database. */
  readonly databaseWaitMs: number;
  readonly databaseLimits: DatabaseLimits;
  /** `full` makes SQLite sync to disk at every commit. */
  readonly sqliteSynchronous: SqliteSynchronous;
  /** Encrypts stored secrets; undefined if it is generated and stored in the data directory. */
  readonly secretKey: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
  readonly publicUrl: string | undefined;
  /** Name of this process among several on one PostgreSQL; the host name if undefined. */
  readonly nodeName: string | undefined;
  /** Base URLs that replace those of the sign-in providers. */
  readonly providerUrls: ProviderUrls;
  /** Limits for request bodies. */
  readonly bodies: BodyLimits;
  readonly rateLimits: RateLimits;
  /** Memory cost of new password hashes. */
  readonly passwordKib: number;
  /** Drain time: how long the server keeps serving after SIGTERM while `/readyz` reports not ready. */
  readonly shutdownDrainMs: number;
  /** Grace period of in-flight requests during shutdown. */
  readonly shutdownGraceMs: number;
  /** Password of the root account, used only when the first start creates it. */
  readonly rootPassword: string | undefined;
  /** Configuration file to apply before serving; undefined if everything is configured in the console. */
  readonly configFile: string | undefined;
  /** Passphrase for files of `npm run export`; prompted for if undefined. */
  readonly exportPassphrase: string | undefined;
  /** Source of `npm run import`; given as an argument if undefined. */
  readonly importFrom: string | undefined;
  /** Undefined if requests are not traced. */
  readonly traces: TraceSettings | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Treats empty variables as unset. */
const givenOf = (names: readonly string[], environment: Environment): Environment =>
  Object.fromEntries(names.map((name) => [name, environment[name] === '' ? undefined : environment[name]]));

const parsed = (environment: Environment) =>
  z.object(variables).safeParse(givenOf(Object.keys(variables), environment));

const wordsOf = ({ path, message }: z.core.$ZodIssue): string => `${String(path[0])} ${message}.`;

/** Reads and validates the environment; the only place that does. */
export function readConfig(environment: Environment): Config {
  const { data: values, error } = parsed(environment);
  if (!values) throw new StartFailure(error.issues.slice(0, 1).map(wordsOf).join());
  if (values.WORKERS !== '1' && values.DATABASE_URL === undefined)
    throw new StartFailure('WORKERS needs PostgreSQL: set DATABASE_URL, or leave WORKERS at 1.');
  return {
    host: values.HOST,
    port: values.PORT,
    workers: values.WORKERS === 'auto' ? availableParallelism() : Number(values.WORKERS),
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databaseWaitMs: values.DATABASE_WAIT_SECONDS,
    databaseLimits: {
      statementMs: values.DATABASE_STATEMENT_SECONDS,
      lockMs: values.DATABASE_LOCK_SECONDS,
      idleMs: values.DATABASE_IDLE_SECONDS,
    },
    sqliteSynchronous: values.SQLITE_SYNCHRONOUS,
    secretKey: values.SECRET_KEY,
    trustedProxies: values.TRUSTED_PROXIES,
    logLevel: values.LOG_LEVEL,
    publicUrl: values.PUBLIC_URL,
    nodeName: values.NODE_NAME,
    providerUrls: allowedProviderUrls(values.LOGIN_PROVIDER_URLS, values.HOST),
    bodies: { maxBytes: values.MAX_BODY_MB, budget: values.BODY_BUDGET_MB },
    rateLimits: {
      api: { ...rateLimits.api, most: values.API_RATE_LIMIT },
      critical: { ...rateLimits.critical, most: values.CRITICAL_RATE_LIMIT },
      loginAddress: { ...rateLimits.loginAddress, most: values.LOGIN_RATE_LIMIT * accountsPerAddress },
      loginAccount: { ...rateLimits.loginAccount, most: values.LOGIN_RATE_LIMIT },
    },
    passwordKib: values.PASSWORD_HASH_KIB,
    shutdownDrainMs: values.SHUTDOWN_DRAIN_SECONDS,
    shutdownGraceMs: values.SHUTDOWN_GRACE_SECONDS,
    rootPassword: values.ROOT_PASSWORD,
    configFile: values.CONFIG_FILE === undefined ? undefined : resolve(values.CONFIG_FILE),
    exportPassphrase: values.EXPORT_PASSPHRASE,
    importFrom: values.IMPORT_FROM,
    traces: readTraceSettings(givenOf(traceVariables, environment)),
  };
}

/** Configuration of this process: its environment, with defaults from the `.env` file of the working directory. */
export function readProcessConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
}

/** Any other variable, for example a secret that a configuration file refers to. */
export const processVariable = (name: string): string | undefined =>
  Object.hasOwn(process.env, name) ? process.env[name] : undefined;

/** Names of the given settings, and their errors. */
export interface InspectedEnvironment {
  /** Names of all settings. */
  readonly known: readonly string[];
  readonly fromFile: readonly string[];
  /** Includes variables from the file. */
  readonly fromEnvironment: readonly string[];
  readonly faults: readonly string[];
  /** Undefined if there is an error. */
  readonly config: Config | undefined;
}

/** Configuration of this process with all of its errors, not only the first. */
export function inspectProcessConfig(): InspectedEnvironment {
  const fromFile = existsSync('.env') ? Object.keys(parseEnv(readFileSync('.env', 'utf8'))) : [];
  if (fromFile.length > 0) process.loadEnvFile('.env');
  const { config, faults } = inspect(process.env);
  return { known: envVariableNames, fromFile, fromEnvironment: Object.keys(process.env), faults, config };
}

function inspect(environment: Environment): Pick<InspectedEnvironment, 'config' | 'faults'> {
  const { error } = parsed(environment);
  if (error) return { config: undefined, faults: error.issues.map(wordsOf) };
  try {
    return { config: readConfig(environment), faults: [] };
  } catch (failure) {
    if (!(failure instanceof StartFailure)) throw failure;
    return { config: undefined, faults: [failure.message] };
  }
}
