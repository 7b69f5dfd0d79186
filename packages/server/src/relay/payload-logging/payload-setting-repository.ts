import { maxPayloadRules, type PayloadRuleKind, payloadRuleKinds, userStatus } from '@headgate/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type PayloadSettingRow = Selectable<Schema['body_keepings']>;

export interface PayloadSettingOwner {
  readonly kind: PayloadRuleKind;
  readonly owner_id: number;
}

/** Payload logging settings. */
export class PayloadSettingRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): PayloadSettingRepository {
    return new PayloadSettingRepository(transaction.database);
  }

  all(): Promise<PayloadSettingRow[]> {
    return this.#database.selectFrom('body_keepings').selectAll().limit(maxPayloadRules).execute();
  }

  /** Settings of a kind from a later version are left to nodes that support it. */
  ofUser(userId: number): Promise<PayloadSettingRow[]> {
    return this.#database
      .selectFrom('body_keepings')
      .selectAll()
      .where('user_id', '=', userId)
      .where('kind', 'in', payloadRuleKinds)
      .orderBy('kind', 'desc')
      .orderBy('owner_id')
      .execute();
  }

  find({ kind, owner_id }: PayloadSettingOwner): Promise<PayloadSettingRow | undefined> {
    return this.#database
      .selectFrom('body_keepings')
      .selectAll()
      .where('kind', '=', kind)
      .where('owner_id', '=', owner_id)
      .executeTakeFirst();
  }

  async count(): Promise<number> {
    const { count } = await this.#database
      .selectFrom('body_keepings')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  async put(row: PayloadSettingRow): Promise<void> {
    const { hours, kilobytes, is_own, created_time } = row;
    await this.#database
      .insertInto('body_keepings')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'owner_id']).doUpdateSet({ hours, kilobytes, is_own, created_time }),
      )
      .execute();
  }

  async remove({ kind, owner_id }: PayloadSettingOwner): Promise<void> {
    await this.#database
      .deleteFrom('body_keepings')
      .where('kind', '=', kind)
      .where('owner_id', '=', owner_id)
      .execute();
  }

  async removeOfUser(userId: number): Promise<void> {
    await this.#database.deleteFrom('body_keepings').where('user_id', '=', userId).execute();
  }

  /** Removes settings of deleted tokens; returns true if there were any. */
  async removeOrphans(): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('body_keepings')
      .where('kind', '=', 'token')
      .where('owner_id', 'not in', (tokens) => tokens.selectFrom('tokens').select('tokens.id'))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /**
   * Undefined if the user does not exist or was deleted. Locks the account, so that it cannot be deleted until the
   * transaction ends.
   */
  personLocked(id: number) {
    return this.#database
      .selectFrom('users')
      .select(['id', 'username', 'role'])
      .where('id', '=', id)
      .where('status', '<>', userStatus.deleted)
      .forUpdate()
      .executeTakeFirst();
  }

  person(id: number) {
    return this.#database
      .selectFrom('users')
      .select(['id', 'username', 'role'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** Name of a user's token; undefined if the user has no such token. */
  async tokenName(userId: number, id: number): Promise<string | undefined> {
    const token = await this.#database
      .selectFrom('tokens')
      .select('name')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst();
    return token?.name;
  }
}
