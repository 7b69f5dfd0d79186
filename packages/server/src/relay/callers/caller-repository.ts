import type { Database } from '../../db/database.ts';
import { upToDate } from '../../db/up-to-date.ts';

/** Reads tokens and their owners for the relay's memory. */
export class CallerRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  tokenByHash(keyHash: string) {
    return this.#tokens().where('key_hash', '=', keyHash).executeTakeFirst();
  }

  /** Which of those hashes are of tokens. */
  async tokenHashes(hashes: readonly string[]): Promise<string[]> {
    const found = this.#database.selectFrom('tokens').select('key_hash').where('key_hash', 'in', hashes);
    return (await found.execute()).map(({ key_hash }) => key_hash);
  }

  token(id: number) {
    return this.#tokens().where('id', '=', id).executeTakeFirst();
  }

  user(id: number) {
    return this.#database
      .selectFrom(upToDate(this.#database, 'users'))
      .select(['id', 'username', 'role', 'status', 'group', 'quota', 'used_quota'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  #tokens() {
    return this.#database
      .selectFrom(upToDate(this.#database, 'tokens'))
      .select([
        'id',
        'user_id',
        'name',
        'status',
        'expired_time',
        'remain_quota',
        'used_quota',
        'unlimited_quota',
        'models',
        'subnet',
      ]);
  }
}

export type TokenFacts = NonNullable<Awaited<ReturnType<CallerRepository['token']>>>;
export type UserFacts = NonNullable<Awaited<ReturnType<CallerRepository['user']>>>;
