import { maxLimitRules, priceOptionKeys, priceOptions, role } from '@headgate/contract';
import type { ImportedIds, ImportedKind, TargetState } from '@headgate/importer';
import { type Insertable, sql } from 'kysely';
import { rootStartQuota } from '../../accounts/users/first-root.ts';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { hashedKeysFlag } from '../../platform/secrets/hashed-keys.ts';
import { ImportedPaymentRepository } from './imported-payment-repository.ts';
import { inParts } from './in-parts.ts';

export type IsInitialPassword = (hash: string) => Promise<boolean>;

type NewUser = Omit<Insertable<Schema['users']>, 'id' | 'name_key'>;

const cacheKilobytes = 65_536;

/** Arbitrary number, unique among the advisory locks of the database. */
const importLock = 0x68_67_69_6d;

/** Reads existing data and writes imported rows; to be used in one transaction. */
export class ImportRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ImportRepository {
    return new ImportRepository(transaction.database);
  }

  /** Enlarges SQLite's cache for the indexes of many logs; otherwise it rereads pages that it has just written. */
  async enlargeCache(): Promise<void> {
    if (!isPostgres(this.#database)) await sql`pragma cache_size = ${sql.lit(-cacheKilobytes)}`.execute(this.#database);
  }

  /**
   * Allows one import at a time until the transaction ends; false when another is running. SQLite has one transaction
   * at a time anyway.
   */
  async lock(): Promise<boolean> {
    if (!isPostgres(this.#database)) return true;
    const { rows } = await sql<{
      isMine: boolean;
    }>`select pg_try_advisory_xact_lock(${sql.lit(importLock)}) as "isMine"`.execute(this.#database);
    return rows[0]?.isMine === true;
  }

  /** `isStartPassword` returns true for a hash of the initial root password. */
  async existing(source: string, isStartPassword: IsInitialPassword): Promise<TargetState> {
    const accounts = await this.#accounts();
    const root = await this.#root(isStartPassword);
    return {
      imported: await this.imported(source),
      existing: {
        organization: await this.#ids('organizations'),
        project: await this.#ids('projects'),
        service_account: await this.#ids('service_accounts'),
      },
      importedTokenHashes: await this.#tokensBrought(source),
      accounts,
      tokenHashes: await this.#hashes('tokens'),
      redemptionHashes: await this.#hashes('redemptions'),
      options: new Map([...(await this.#options()), ...(await this.#priceOptions())]),
      channelNames: await this.#channelNames(),
      ...(await new ImportedPaymentRepository(this.#database).existing()),
      freeLimits: maxLimitRules - (await this.#limitCount()),
      root,
      hasBalances: accounts.length > 1 || root?.isImported === true,
    };
  }

  async imported(source: string): Promise<ImportedIds> {
    const ids = {
      ...emptyIds('user', 'token', 'channel', 'redemption', 'option', 'budget', 'limit', 'plan', 'user_plan', 'order'),
      ...emptyIds('organization', 'member', 'project', 'service_account'),
    };
    const rows = await this.#database.selectFrom('imported_rows').selectAll().where('source', '=', source).execute();
    for (const { kind, source_id, id } of rows) ids[kind].set(source_id, id);
    return ids;
  }

  async remember(source: string, kind: ImportedKind, ids: ReadonlyMap<string, number>): Promise<void> {
    const rows = [...ids].map(([source_id, id]) => ({ source, kind, source_id, id }));
    for (const part of inParts(rows)) await this.#database.insertInto('imported_rows').values(part).execute();
  }

  /** Returns ids by username. */
  async insertUsers(users: readonly NewUser[]): Promise<ReadonlyMap<string, number>> {
    const ids = new Map<string, number>();
    for (const part of inParts(users)) {
      const query = this.#database.insertInto('users').values([...part]);
      for (const { id, username } of await query.returning(['id', 'username']).execute()) ids.set(username, id);
    }
    return ids;
  }

  async replaceUser(id: number, user: NewUser): Promise<void> {
    await this.#database
      .updateTable('users')
      .set({ ...user, name_key: null })
      .where('id', '=', id)
      .execute();
  }

  /** Ends sessions started with the replaced password after the account was found to be unused. */
  async endSessions(userId: number): Promise<void> {
    await this.#database.deleteFrom('sessions').where('user_id', '=', userId).execute();
  }

  /**
   * If names differ only in case, the first gets the unique key, as for accounts that existed before unique keys were
   * introduced.
   */
  async setNameKeys(names: ReadonlyMap<string, number>): Promise<void> {
    for (const part of inParts([...names])) {
      const rows = part.map(
        ([username, id]) => sql`(cast(${id} as bigint), fold_case(cast(${username.normalize('NFKC')} as text)))`,
      );
      await sql`with given (id, name_key) as (values ${sql.join(rows)}),
          first (id, name_key) as (select min(id), name_key from given group by name_key)
        update users set name_key = first.name_key from first where users.id = first.id
          and not exists (select 1 from users as others where others.name_key = first.name_key)`.execute(
        this.#database,
      );
    }
  }

  async setInviters(inviters: ReadonlyMap<number, number>): Promise<void> {
    for (const part of inParts([...inviters])) {
      const rows = part.map(([id, inviter]) => sql`(cast(${id} as bigint), cast(${inviter} as bigint))`);
      await sql`with given (id, inviter) as (values ${sql.join(rows)})
        update users set inviter_id = given.inviter from given where users.id = given.id`.execute(this.#database);
    }
  }

  /** Returns ids by key hash. */
  async insertTokens(tokens: readonly Insertable<Schema['tokens']>[]): Promise<ReadonlyMap<string, number>> {
    const ids = new Map<string, number>();
    for (const part of inParts(tokens)) {
      const query = this.#database.insertInto('tokens').values([...part]);
      for (const { id, key_hash } of await query.returning(['id', 'key_hash']).execute()) ids.set(key_hash, id);
    }
    return ids;
  }

  /** Returns ids by code hash. */
  async insertRedemptions(codes: readonly Insertable<Schema['redemptions']>[]): Promise<ReadonlyMap<string, number>> {
    const ids = new Map<string, number>();
    for (const part of inParts(codes)) {
      const query = this.#database.insertInto('redemptions').values([...part]);
      for (const { id, key_hash } of await query.returning(['id', 'key_hash']).execute()) ids.set(key_hash, id);
    }
    return ids;
  }

  async insertChannel(channel: Insertable<Schema['channels']>): Promise<number> {
    const { id } = await this.#database
      .insertInto('channels')
      .values(channel)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Undefined if the owner already has a budget for this period, which is kept. */
  async insertBudget(budget: Insertable<Schema['budgets']>): Promise<number | undefined> {
    const query = this.#database
      .insertInto('budgets')
      .values(budget)
      .onConflict((conflict) => conflict.doNothing());
    return (await query.returning('id').executeTakeFirst())?.id;
  }

  async insertLimit(limit: Insertable<Schema['limit_rules']>): Promise<number> {
    const query = this.#database.insertInto('limit_rules').values(limit);
    return (await query.returning('id').executeTakeFirstOrThrow()).id;
  }

  /** Makes every node also look up keys by the hash of the whole key. */
  async allowHashedKeys(): Promise<void> {
    const query = this.#database.insertInto('meta').values(hashedKeysFlag);
    await query.onConflict((conflict) => conflict.column('key').doNothing()).execute();
  }

  async insertOption(key: string, value: string): Promise<void> {
    await this.#database.insertInto('options').values({ key, value }).execute();
  }

  async #options(): Promise<(readonly [string, string])[]> {
    const rows = await this.#database.selectFrom('options').selectAll().execute();
    return rows.map(({ key, value }) => [key, value]);
  }

  /** A ratio option counts as set if the price table has such a price part. The values do not matter here. */
  async #priceOptions(): Promise<(readonly [string, string])[]> {
    const rows = await this.#database.selectFrom('prices').select('part').distinct().execute();
    const parts = new Set(rows.map(({ part }) => part));
    return priceOptionKeys.filter((key) => parts.has(priceOptions[key])).map((key) => [key, '']);
  }

  async #tokensBrought(source: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database
      .selectFrom('imported_rows')
      .innerJoin('tokens', 'tokens.id', 'imported_rows.id')
      .select(['source_id', 'key_hash'])
      .where('source', '=', source)
      .where('kind', '=', 'token')
      .execute();
    return new Map(rows.map(({ source_id, key_hash }) => [source_id, key_hash]));
  }

  #accounts(): Promise<TargetState['accounts']> {
    return this.#database
      .selectFrom('users')
      .select(['username', 'email', 'github_id', 'lark_id', 'aff_code'])
      .select(['wechat_id', 'wechat_issuer', 'oidc_id', 'oidc_issuer'])
      .execute();
  }

  async #hashes(table: 'tokens' | 'redemptions'): Promise<ReadonlySet<string>> {
    const rows = await this.#database.selectFrom(table).select('key_hash').execute();
    return new Set(rows.map(({ key_hash }) => key_hash));
  }

  async #ids(table: 'organizations' | 'projects' | 'service_accounts'): Promise<ReadonlySet<number>> {
    const rows = await this.#database.selectFrom(table).select('id').execute();
    return new Set(rows.map(({ id }) => id));
  }

  async #limitCount(): Promise<number> {
    const counted = this.#database.selectFrom('limit_rules').select(({ fn }) => fn.countAll<number>().as('count'));
    return Number((await counted.executeTakeFirstOrThrow()).count);
  }

  async #channelNames(): Promise<ReadonlySet<string>> {
    const rows = await this.#database.selectFrom('channels').select('name').distinct().execute();
    return new Set(rows.map(({ name }) => name));
  }

  async #root(isStartPassword: IsInitialPassword) {
    const found = await this.#database
      .selectFrom('users')
      .select(['id', 'username', 'quota', 'used_quota', 'request_count', 'email', 'password_hash'])
      .where('role', '>=', role.root)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!found) return undefined;
    const { id, username } = found;
    const isImported = await this.#isImportedUser(id);
    const isUnused =
      !isImported &&
      isUnchanged(found) &&
      !(await this.#hasTraces(id)) &&
      (await isStartPassword(found.password_hash ?? ''));
    return { id, username, isImported, isUnused };
  }

  /** From any source. */
  async #isImportedUser(id: number): Promise<boolean> {
    const rows = this.#database.selectFrom('imported_rows').select('id').where('kind', '=', 'user');
    return (await rows.where('id', '=', id).limit(1).executeTakeFirst()) !== undefined;
  }

  async #hasTraces(userId: number): Promise<boolean> {
    const traces = await Promise.all(
      (['sessions', 'tokens', 'logs', 'passkeys'] as const).map((table) =>
        this.#database.selectFrom(table).select('user_id').where('user_id', '=', userId).limit(1).executeTakeFirst(),
      ),
    );
    return traces.some((trace) => trace !== undefined);
  }
}

interface RootRow {
  readonly quota: number;
  readonly used_quota: number;
  readonly request_count: number;
  readonly email: string | null;
}

const isUnchanged = ({ quota, used_quota, request_count, email }: RootRow): boolean =>
  quota === rootStartQuota && used_quota === 0 && request_count === 0 && email === null;

/** Empty maps by kind. */
const emptyIds = <Kind extends ImportedKind>(...kinds: readonly Kind[]) =>
  Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as Record<Kind, Map<string, number>>;
