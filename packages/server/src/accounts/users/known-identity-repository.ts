import type { Database } from '../../platform/db/database.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { Identity } from './identity-columns.ts';

/** Changed whenever mailboxes are normalized differently, so that the next start records all users again. */
const filledKey = 'known_identities_2';
const identities = ['email', 'github_id', 'wechat_id', 'lark_id', 'oidc_id'] as const satisfies readonly Identity[];

export type Identities = Partial<Pick<UserRow, Identity>>;

export class KnownIdentityRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): KnownIdentityRepository {
    return new KnownIdentityRepository(transaction.database);
  }

  /** Returns the number of new ones; concurrent inserts of the same fingerprint wait for each other. */
  async add(fingerprints: readonly string[]): Promise<number> {
    if (fingerprints.length === 0) return 0;
    const added = await this.#database
      .insertInto('known_identities')
      .values(fingerprints.map((fingerprint) => ({ fingerprint })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('fingerprint')
      .execute();
    return added.length;
  }

  async isFilled(): Promise<boolean> {
    const row = await this.#database.selectFrom('meta').select('key').where('key', '=', filledKey).executeTakeFirst();
    return row !== undefined;
  }

  async markFilled(): Promise<void> {
    await this.#database
      .insertInto('meta')
      .values({ key: filledKey, value: '1' })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  }

  /** Identities of the next `most` users after this id. */
  identitiesAfter(id: number, max: number): Promise<(Identities & { id: number })[]> {
    return this.#database
      .selectFrom('users')
      .select(['id', ...identities])
      .where('id', '>', id)
      .orderBy('id')
      .limit(max)
      .execute();
  }
}
