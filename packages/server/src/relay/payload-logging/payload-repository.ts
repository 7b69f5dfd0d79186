import { userStatus } from '@headgate/contract';
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type PayloadRow = Selectable<Schema['kept_bodies']>;

/** Rows deleted per statement; few enough not to block other statements for long. */
const removedAtOnce = 100;

type Which = (where: ExpressionBuilder<Schema, 'kept_bodies'>) => Expression<SqlBool>;

/** Stored payloads, encrypted. */
export class PayloadRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): PayloadRepository {
    return new PayloadRepository(transaction.database);
  }

  async insert(rows: readonly PayloadRow[]): Promise<void> {
    await this.#database
      .insertInto('kept_bodies')
      .values([...rows])
      .onConflict((conflict) => conflict.column('request_id').doNothing())
      .execute();
  }

  find(requestId: string, now: number): Promise<PayloadRow | undefined> {
    return this.#database
      .selectFrom('kept_bodies')
      .selectAll()
      .where('request_id', '=', requestId)
      .where('expires_time', '>', now)
      .executeTakeFirst();
  }

  /** Owner of a payload, without its content. */
  owner(requestId: string): Promise<Pick<PayloadRow, 'user_id'> | undefined> {
    return this.#database
      .selectFrom('kept_bodies')
      .select('user_id')
      .where('request_id', '=', requestId)
      .executeTakeFirst();
  }

  async countOf(userId: number, now: number): Promise<number> {
    const { count } = await this.#database
      .selectFrom('kept_bodies')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('expires_time', '>', now)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Total size of all payloads. */
  async storedBytes(): Promise<number> {
    const { bytes } = await this.#database
      .selectFrom('kept_bodies')
      .select(({ fn }) => fn.sum<number | null>('stored_bytes').as('bytes'))
      .executeTakeFirstOrThrow();
    return Number(bytes ?? 0);
  }

  async remove(requestId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('kept_bodies')
      .where('request_id', '=', requestId)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async removeOfUser(userId: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('kept_bodies')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  /** Deletes some expired rows and returns their number. */
  removeExpired(now: number): Promise<number> {
    return this.#removeSome((where) => where('expires_time', '<=', now));
  }

  /** Deletes some rows created before a time and returns their number. */
  removeBefore(time: number): Promise<number> {
    return this.#removeSome((where) => where('created_time', '<', time));
  }

  /** Deletes some rows of accounts that were deleted while their last requests ran, and returns their number. */
  removeOfClosed(): Promise<number> {
    return this.#removeSome((where) =>
      where(
        'user_id',
        'in',
        where.selectFrom('users').select('users.id').where('users.status', '=', userStatus.deleted),
      ),
    );
  }

  async #removeSome(which: Which): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('kept_bodies')
      .where('request_id', 'in', (some) =>
        some.selectFrom('kept_bodies').select('request_id').where(which).limit(removedAtOnce),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
