import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StartFailure } from '../errors/start-failure.ts';
import type { Database } from './database.ts';
import { isDeadlock } from './deadlock.ts';
import { firstTables } from './migrations/0001-first-tables.ts';
import { controlPlane } from './migrations/0002-control-plane.ts';
import { signIn } from './migrations/0003-sign-in.ts';
import { leases } from './migrations/0004-leases.ts';
import { secondFactor } from './migrations/0005-second-factor.ts';
import { chargeJournal } from './migrations/0006-charge-journal.ts';
import { proofs } from './migrations/0007-proofs.ts';
import { nameKeys } from './migrations/0008-name-keys.ts';
import { logEnders } from './migrations/0009-log-enders.ts';
import { journalVersions } from './migrations/0010-journal-versions.ts';
import { rootSignIn } from './migrations/0011-root-sign-in.ts';
import { knownIdentities } from './migrations/0012-known-identities.ts';
import { identityIssuers } from './migrations/0013-identity-issuers.ts';
import { keptResponses } from './migrations/0014-kept-responses.ts';
import { usageByGroup } from './migrations/0015-usage-by-group.ts';
import { channelHealth } from './migrations/0016-channel-health.ts';
import { keptItems } from './migrations/0017-kept-items.ts';
import { manyAtOnce } from './migrations/0018-many-at-once.ts';
import { prices } from './migrations/0019-prices.ts';
import { chargeGroups } from './migrations/0020-charge-groups.ts';
import { userViews } from './migrations/0021-user-views.ts';
import { usagePacks } from './migrations/0022-usage-packs.ts';
import { logNodes } from './migrations/0023-log-nodes.ts';
import { nodes } from './migrations/0024-nodes.ts';
import { importedRows } from './migrations/0025-imported-rows.ts';
import { limitCounts } from './migrations/0026-limit-counts.ts';
import { unfoldedTotals } from './migrations/0027-unfolded-totals.ts';
import { packVersions } from './migrations/0028-pack-versions.ts';
import { channelKeys } from './migrations/0029-channel-keys.ts';
import { monthPartitions } from './migrations/0030-month-partitions.ts';
import { prepareMonths, unprepareMonths } from './migrations/0030-month-preparation.ts';
import { limitRules } from './migrations/0031-limit-rules.ts';
import { budgets } from './migrations/0032-budgets.ts';
import { routing } from './migrations/0033-routing.ts';
import { alerts } from './migrations/0034-alerts.ts';
import { modelLatencies } from './migrations/0036-model-latencies.ts';
import { channelPauses } from './migrations/0037-channel-pauses.ts';
import { tokenScope } from './migrations/0038-token-scope.ts';
import { keptBodies } from './migrations/0039-kept-bodies.ts';
import { setAsideCharges } from './migrations/0041-set-aside-charges.ts';
import { viewsByOwner } from './migrations/0042-views-by-owner.ts';
import { managedThings } from './migrations/0044-managed-things.ts';
import { accessTokens } from './migrations/0045-access-tokens.ts';
import { tokenHours } from './migrations/0047-token-hours.ts';
import { ownersByUser } from './migrations/0052-owners-by-user.ts';
import { storedResponses } from './migrations/0066-stored-responses.ts';
import { isPostgres } from './migrations/columns.ts';

/** All migrations in order of their names. A released one never changes; a new one is appended. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-control-plane': controlPlane,
  '0003-sign-in': signIn,
  '0004-leases': leases,
  '0005-second-factor': secondFactor,
  '0006-charge-journal': chargeJournal,
  '0007-proofs': proofs,
  '0008-name-keys': nameKeys,
  '0009-log-enders': logEnders,
  '0010-journal-versions': journalVersions,
  '0011-root-sign-in': rootSignIn,
  '0012-known-identities': knownIdentities,
  '0013-identity-issuers': identityIssuers,
  '0014-kept-responses': keptResponses,
  '0015-usage-by-group': usageByGroup,
  '0016-channel-health': channelHealth,
  '0017-kept-items': keptItems,
  '0018-many-at-once': manyAtOnce,
  '0019-prices': prices,
  '0020-charge-groups': chargeGroups,
  '0021-user-views': userViews,
  '0022-usage-packs': usagePacks,
  '0023-log-nodes': logNodes,
  '0024-nodes': nodes,
  '0025-imported-rows': importedRows,
  '0026-limit-counts': limitCounts,
  '0027-unfolded-totals': unfoldedTotals,
  '0028-pack-versions': packVersions,
  '0029-channel-keys': channelKeys,
  '0030-month-partitions': monthPartitions,
  '0031-limit-rules': limitRules,
  '0032-budgets': budgets,
  '0033-routing': routing,
  '0034-alerts': alerts,
  '0036-model-latencies': modelLatencies,
  '0037-channel-pauses': channelPauses,
  '0038-token-scope': tokenScope,
  '0039-kept-bodies': keptBodies,
  '0041-set-aside-charges': setAsideCharges,
  '0042-views-by-owner': viewsByOwner,
  '0044-managed-things': managedThings,
  '0045-access-tokens': accessTokens,
  '0047-token-hours': tokenHours,
  '0052-owners-by-user': ownersByUser,
  '0066-stored-responses': storedResponses,
};

const names = Object.keys(migrations).sort();

/** Those that this version knows, oldest first. */
export const migrationNames: readonly string[] = names;

/** The one that this program's databases end with. */
export const lastMigration = names.at(-1) ?? '';

export const isKnownMigration = (name: string): boolean => Object.hasOwn(migrations, name);

/** Those that were made in a database, oldest first; none in one that is empty. */
export async function migrationsOf(database: Database): Promise<readonly string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database);
  return rows.map(({ name }) => name);
}

/** What is done before a migration, outside of its transaction: what takes long must lock nothing that others need. */
interface Preparation {
  readonly prepare: (database: Database) => Promise<void>;
  /** When the migration itself failed. */
  readonly takeBack: (database: Database) => Promise<void>;
}

/** On PostgreSQL alone. */
const preparations: Readonly<Record<string, Preparation>> = {
  '0030-month-partitions': { prepare: (database) => prepareMonths(database), takeBack: unprepareMonths },
};

/** PostgreSQL's name for it. */
const undefinedTable = '42P01';
const mostAttempts = 20;
const pauseMs = 50;

/** Any number, as long as nothing else in the database uses it. */
export const migrationLock = 0x68_67_6d_69;

/**
 * Brings the schema up to date under a lock, so that several nodes may start at once; no further than a migration when
 * one is named. All in one transaction, but for migrations that are prepared: these have one of their own.
 */
export async function migrate(database: Database, upTo?: string): Promise<void> {
  try {
    if (isPostgres(database)) await inTurn(database, (connection) => runAll(connection, upTo));
    else await run(database, upTo);
  } catch (error) {
    const later = await laterMigration(database).catch(() => undefined);
    if (later !== undefined) {
      throw new StartFailure(
        `The database belongs to a newer version of Headgate (it has migration ${later}); start that version.`,
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`The database could not be brought up to date (${reason}). Nothing was changed.`);
  }
}

/** On one connection, which holds the lock for as long as it takes. */
async function inTurn(database: Database, work: (connection: Database) => Promise<void>): Promise<void> {
  await database.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${sql.lit(migrationLock)})`.execute(connection);
    try {
      await work(connection);
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(migrationLock)})`.execute(connection);
    }
  });
}

async function runAll(database: Database, upTo: string | undefined): Promise<void> {
  for (const [name, { prepare, takeBack }] of Object.entries(preparations)) {
    if ((upTo !== undefined && upTo < name) || (await executed(database)).has(name)) continue;
    const before = names[names.indexOf(name) - 1];
    if (!(await executed(database)).has(before ?? '')) await run(database, before);
    await prepare(database);
    await run(database, name).catch(async (error) => {
      await takeBack(database);
      throw error;
    });
  }
  await run(database, upTo);
}

/** A deadlock with charges of nodes that serve meanwhile undoes all of it: then once more, a moment later. */
async function run(database: Database, upTo: string | undefined): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(database, upTo);
    } catch (error) {
      if (!isDeadlock(error) || attempt === mostAttempts) throw error;
      await sleep(attempt * pauseMs);
    }
  }
}

async function runOnce(database: Database, upTo: string | undefined): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...migrations }) },
  });
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error !== undefined) throw error;
}

async function executed(database: Database): Promise<ReadonlySet<string>> {
  const table = await sql`select from pg_class where oid = to_regclass('kysely_migration')`.execute(database);
  if (table.rows.length === 0) return new Set();
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  return new Set(rows.map(({ name }) => name));
}

/** How the schema stands beside what this program knows; looks, and changes nothing. */
export interface SchemaState {
  /** What the next start would do. */
  readonly pending: readonly string[];
  /** What only a newer version knows. */
  readonly later: string | undefined;
}

export async function schemaState(database: Database): Promise<SchemaState> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
    const done = new Set(rows.map(({ name }) => name));
    return { pending: names.filter((name) => !done.has(name)), later: await laterMigration(database) };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (code === undefinedTable || message.includes('no such table')) return { pending: names, later: undefined };
    throw error;
  }
}

/** A migration that this program does not know: a newer one has been here. */
async function laterMigration(database: Database): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc`.execute(database);
  return rows.find(({ name }) => !isKnownMigration(name))?.name;
}
