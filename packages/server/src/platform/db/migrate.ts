import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StartFailure } from '../errors/start-failure.ts';
import { isPostgres } from './backend.ts';
import type { Database } from './database.ts';
import { isDeadlock } from './database-errors.ts';
import { channelRules } from './schema/channel-rules.ts';
import { creditNotes } from './schema/credit-notes.ts';
import { directories } from './schema/directories.ts';
import { formerMembers } from './schema/former-members.ts';
import { incidents } from './schema/incidents.ts';
import { initialSchema } from './schema/initial.ts';
import { jwtIssuers } from './schema/jwt-issuers.ts';
import { keyCosts } from './schema/key-costs.ts';
import { logExports } from './schema/log-exports.ts';
import { servedLatencies } from './schema/model-latencies.ts';
import { orderInvoices } from './schema/order-invoices.ts';
import { orders } from './schema/orders.ts';
import { organizationLimits } from './schema/organization-limits.ts';
import { organizationSso } from './schema/organization-sso.ts';
import { organizations } from './schema/organizations.ts';
import { payloadHeaders } from './schema/payload-headers.ts';
import { planCodes } from './schema/plan-codes.ts';
import { planNotices } from './schema/plan-notices.ts';
import { plans } from './schema/plans.ts';
import { redemptionUses } from './schema/redemption-uses.ts';
import { requestTags } from './schema/request-tags.ts';
import { rewards } from './schema/rewards.ts';
import { routingSplits } from './schema/routing-splits.ts';
import { splitTags } from './schema/split-tags.ts';
import { ssoTrust } from './schema/sso-trust.ts';
import { storedResponseUse } from './schema/stored-response-use.ts';
import { subscriptions } from './schema/subscriptions.ts';
import { tagLimits } from './schema/tag-limits.ts';
import { tokenLocks } from './schema/token-locks.ts';
import { trafficMirrors } from './schema/traffic-mirrors.ts';
import { userTokenLocks } from './schema/user-token-locks.ts';

export type Migrations = Readonly<Record<string, Migration>>;

/**
 * All migrations, oldest first. Their names sort as text: after 1.0 come `1.01-…`, `1.02-…`. A released migration
 * never changes; a new one is added at the end and tested from 1.0.
 */
export const migrations: Migrations = {
  '1.0-initial': initialSchema,
  '1.01-channel-rules': channelRules,
  '1.02-stored-response-use': storedResponseUse,
  '1.03-token-locks': tokenLocks,
  '1.06-incidents': incidents,
  '1.08-routing-splits': routingSplits,
  '1.12-request-tags': requestTags,
  '1.13-log-exports': logExports,
  '1.15-orders': orders,
  '1.16-traffic-mirrors': trafficMirrors,
  '1.17-served-latencies': servedLatencies,
  '1.19-user-token-locks': userTokenLocks,
  '1.20-payload-headers': payloadHeaders,
  '1.21-organizations': organizations,
  '1.30-directories': directories,
  '1.31-redemption-uses': redemptionUses,
  '1.32-rewards': rewards,
  '1.33-organization-sso': organizationSso,
  '1.34-former-members': formerMembers,
  '1.45-tag-limits': tagLimits,
  '1.46-split-tags': splitTags,
  '1.47-plans': plans,
  '1.48-key-costs': keyCosts,
  '1.70-organization-limits': organizationLimits,
  '1.71-plan-codes': planCodes,
  '1.73-sso-trust': ssoTrust,
  '1.75-plan-notices': planNotices,
  '1.78-order-invoices': orderInvoices,
  '1.80-subscriptions': subscriptions,
  '1.82-jwt-issuers': jwtIssuers,
  '1.83-credit-notes': creditNotes,
};

/** The newest migration of this version. */
export const lastMigration = Object.keys(migrations).at(-1) ?? '';

export const isKnownMigration = (name: string, known = migrations): boolean => Object.hasOwn(known, name);

/** Migrations of a database, oldest first; empty for an empty database. */
export async function appliedMigrations(database: Database): Promise<readonly string[]> {
  if (!(await hasMigrationTable(database))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  return rows.map(({ name }) => name).sort();
}

/** Kysely's introspection reads every column of every table, which takes most of a start. */
async function hasMigrationTable(database: Database): Promise<boolean> {
  const query = isPostgres(database)
    ? sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`
    : sql<{ name: string | null }>`select name from sqlite_schema where name = 'kysely_migration'`;
  const { rows } = await query.execute(database);
  return rows.some(({ name }) => name !== null);
}

const maxAttempts = 20;
const pauseMs = 50;

/** Key of the PostgreSQL advisory lock; must be unique in the database. */
export const migrationLock = 0x68_67_6d_69;

interface MigrateOptions {
  /** Last migration to run; all by default. */
  readonly upTo?: string | undefined;
  /** Migrations of this version by default. */
  readonly known?: Migrations | undefined;
}

/** Migrates the schema in one transaction under a lock, so that only one of several starting nodes migrates. */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<void> {
  try {
    if (isPostgres(database)) await withLock(database, (connection) => run(connection, options));
    else await run(database, options);
  } catch (error) {
    const mismatch = await findMismatch(database, options.known).catch(() => undefined);
    if (mismatch) throw new StartFailure(`The database ${mismatch.problem}; ${mismatch.remedy}.`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`The database could not be migrated (${reason}). Nothing was changed.`);
  }
}

/** Runs on one connection, which holds the lock. */
async function withLock(database: Database, work: (connection: Database) => Promise<void>): Promise<void> {
  await database.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${sql.lit(migrationLock)})`.execute(connection);
    try {
      await work(connection);
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(migrationLock)})`.execute(connection);
    }
  });
}

/** A deadlock with charges of running nodes rolls everything back; the migration is then retried. */
async function run(database: Database, options: MigrateOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(database, options);
    } catch (error) {
      if (!isDeadlock(error) || attempt === maxAttempts) throw error;
      await sleep(attempt * pauseMs);
    }
  }
}

async function runOnce(database: Database, { upTo, known = migrations }: MigrateOptions): Promise<void> {
  if (upTo === undefined && isCurrent(await appliedMigrations(database), known)) return;
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...known }) },
  });
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error !== undefined) throw error;
}

/** True if exactly the known migrations are applied. */
function isCurrent(applied: readonly string[], known: Migrations): boolean {
  const names = Object.keys(known);
  return applied.length === names.length && applied.every((name) => Object.hasOwn(known, name));
}

/** Reason why this version cannot use a database. */
interface Mismatch {
  readonly problem: string;
  readonly remedy: string;
}

/** Schema of a database compared with this version. */
export interface SchemaState {
  /** True before the first start. */
  readonly isEmpty: boolean;
  /** Migrations that the next start would run. */
  readonly pending: readonly string[];
  readonly mismatch: Mismatch | undefined;
}

/** Read-only. */
export async function schemaState(database: Database): Promise<SchemaState> {
  const done = new Set(await appliedMigrations(database));
  const pending = Object.keys(migrations).filter((name) => !done.has(name));
  return { isEmpty: done.size === 0, pending, mismatch: await findMismatch(database) };
}

async function findMismatch(database: Database, known = migrations): Promise<Mismatch | undefined> {
  const name = (await appliedMigrations(database)).findLast((one) => !isKnownMigration(one, known));
  if (name === undefined) return undefined;
  // Pre-release migrations were named 0001 to 0066.
  if (name.startsWith('0')) {
    return {
      problem: `was created by a pre-release version of Headgate (migration ${name}), which this version cannot migrate`,
      remedy: 'use an empty database',
    };
  }
  return {
    problem: `belongs to a newer version of Headgate (it has migration ${name})`,
    remedy: 'start that version',
  };
}
