import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { hashedKeysFlag } from '../../platform/secrets/hashed-keys.ts';
import { hashSecret, type SecretBox } from '../../platform/secrets/secret-box.ts';

/** Reads tokens and their users for the cache. */
export class CallerRepository {
  readonly #database: Database;
  readonly #box: SecretBox;

  constructor(database: Database, box: SecretBox) {
    this.#database = database;
    this.#box = box;
  }

  /** Finds a token by its current key, or by its rotated key while that is valid. */
  async tokenByHash(keyHash: string, now: number) {
    const found = await this.#tokens().where('key_hash', '=', keyHash).executeTakeFirst();
    if (found) return found;
    return this.#tokens().where('old_key_hash', '=', keyHash).where('old_key_until', '>', now).executeTakeFirst();
  }

  /** Returns the hashes that belong to existing tokens. */
  async tokenHashes(hashes: readonly string[], now: number): Promise<string[]> {
    const tokens = this.#database.selectFrom('tokens');
    const current = tokens.select('key_hash as hash').where('key_hash', 'in', hashes);
    const before = tokens.select('old_key_hash as hash').where('old_key_hash', 'in', hashes);
    const found = current.unionAll(before.where('old_key_hash', '<>', '').where('old_key_until', '>', now));
    return (await found.execute()).map(({ hash }) => hash);
  }

  /** True if there are or were tokens of which only the hash of the whole key is known. */
  async hasHashedKeys(): Promise<boolean> {
    const rows = this.#database.selectFrom('meta').select('key').where('key', '=', hashedKeysFlag.key);
    return (await rows.executeTakeFirst()) !== undefined;
  }

  /** Stores the key of such a token at its first use, so that the token can be found and shown like any other. */
  async storeKey(importedHash: string, key: string): Promise<void> {
    await this.#database
      .updateTable('tokens')
      .set({ key_hash: hashSecret(key), key_sealed: this.#box.seal(key) })
      .where('key_hash', '=', importedHash)
      .where('key_sealed', '=', '')
      .execute();
  }

  token(id: number) {
    return this.#tokens().where('tokens.id', '=', id).executeTakeFirst();
  }

  user(id: number) {
    return this.#database
      .selectFrom(currentTable(this.#database, 'users'))
      .select(['id', 'username', 'role', 'status', 'group', 'quota', 'used_quota', 'second_factor'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** Plans that are or will be valid, in the order in which they pay. */
  plans(userId: number, now: number) {
    return this.#database
      .selectFrom('user_plans')
      .select(['id', 'name', 'models', 'groups', 'upgrade_group', 'starts_time', 'ends_time'])
      .where('user_id', '=', userId)
      .where('state', '=', 'active')
      .where('ends_time', '>', now)
      .orderBy('ends_time')
      .orderBy('id')
      .execute();
  }

  #tokens() {
    return this.#database
      .selectFrom(currentTable(this.#database, 'tokens'))
      .select([
        'tokens.id',
        'tokens.user_id',
        'tokens.name',
        'tokens.status',
        'tokens.expired_time',
        'tokens.remain_quota',
        'tokens.used_quota',
        'tokens.unlimited_quota',
        'tokens.models',
        'tokens.subnet',
        'tokens.key_hash',
        'tokens.old_key_hash',
        'tokens.old_key_until',
        'tokens.groups',
        'tokens.dialects',
        'tokens.endpoints',
        'tokens.channels',
        'tokens.tags',
        'tokens.fixed_tags',
        'tokens.creator_id',
        'tokens.project_id',
        'tokens.service_account_id',
      ])
      .leftJoin('organization_members as member', (join) =>
        join.onRef('member.organization_id', '=', 'tokens.user_id').onRef('member.user_id', '=', 'tokens.creator_id'),
      )
      .leftJoin('users as creator', 'creator.id', 'tokens.creator_id')
      .leftJoin('projects', 'projects.id', 'tokens.project_id')
      .select([
        'member.id as member_id',
        'member.role as member_role',
        'creator.status as creator_status',
        'creator.tokens_locked as creator_locked',
        'projects.status as project_status',
        'projects.models as project_models',
        'projects.fixed_tags as project_tags',
      ]);
  }
}

export type CallerTokenRow = NonNullable<Awaited<ReturnType<CallerRepository['token']>>>;
export type CallerPlanRow = Awaited<ReturnType<CallerRepository['plans']>>[number];
export type CallerUserRow = NonNullable<Awaited<ReturnType<CallerRepository['user']>>>;
