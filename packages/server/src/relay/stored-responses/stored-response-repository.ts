import { userStatus } from '@headgate/contract';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type StoredResponseRow = Selectable<Schema['stored_responses']>;

/** Response that contains an item, and the length of its JSON. */
export type StoredItemLocation = Pick<StoredResponseRow, 'response_id' | 'answer_bytes'> & { readonly item_id: string };

const tables = ['stored_responses', 'stored_response_items'] as const;
/** Rows deleted per statement; few enough not to block other statements for long. */
const removedAtOnce = 100;
const usePrecisionSeconds = 3600;
/** Ids per statement. */
const idsAtOnce = 500;

/** Responses stored by the gateway, by user. */
export class StoredResponseRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): StoredResponseRepository {
    return new StoredResponseRepository(transaction.database);
  }

  /** Returns false and changes nothing if this user already has the id. */
  async insert(row: StoredResponseRow, itemIds: readonly string[]): Promise<boolean> {
    const inserted = await this.#database
      .insertInto('stored_responses')
      .values(row)
      .onConflict((conflict) => conflict.columns(['user_id', 'response_id']).doNothing())
      .returning('response_id')
      .executeTakeFirst();
    if (!inserted) return false;
    const { user_id, response_id, created_time } = row;
    if (itemIds.length > 0)
      await this.#database
        .insertInto('stored_response_items')
        .values(itemIds.map((item_id) => ({ user_id, item_id, response_id, created_time })))
        .onConflict((conflict) => conflict.columns(['user_id', 'item_id']).doNothing())
        .execute();
    return true;
  }

  find(userId: number, id: string, after: number): Promise<StoredResponseRow | undefined> {
    return this.#database
      .selectFrom('stored_responses')
      .selectAll()
      .where('user_id', '=', userId)
      .where('response_id', '=', id)
      .where('created_time', '>', after)
      .executeTakeFirst();
  }

  /** Several responses, without their input. */
  byIds(userId: number, ids: readonly string[], after: number) {
    return this.#database
      .selectFrom('stored_responses')
      .select(['user_id', 'response_id', 'created_time', 'input_bytes', 'answer_bytes', 'answer_sealed'])
      .where('user_id', '=', userId)
      .where('response_id', 'in', [...ids])
      .where('created_time', '>', after)
      .execute();
  }

  /** Responses that contain these items of a user. */
  async findItems(userId: number, ids: readonly string[], after: number): Promise<readonly StoredItemLocation[]> {
    const found: StoredItemLocation[] = [];
    for (let at = 0; at < ids.length; at += idsAtOnce)
      found.push(...(await this.#findItems(userId, ids.slice(at, at + idsAtOnce), after)));
    return found;
  }

  #findItems(userId: number, ids: readonly string[], after: number): Promise<StoredItemLocation[]> {
    return this.#database
      .selectFrom('stored_response_items as item')
      .innerJoin('stored_responses as response', (join) =>
        join.onRef('response.user_id', '=', 'item.user_id').onRef('response.response_id', '=', 'item.response_id'),
      )
      .select(['item.item_id', 'item.response_id', 'response.answer_bytes'])
      .where('item.user_id', '=', userId)
      .where('item.item_id', 'in', [...ids])
      .where('response.created_time', '>', after)
      .execute();
  }

  /** For all users if no user is given. */
  async storedBytes(userId?: number): Promise<number> {
    const { bytes } = await this.#database
      .selectFrom('stored_responses')
      .select(({ fn }) => fn.sum<number | null>('stored_bytes').as('bytes'))
      .$if(userId !== undefined, (query) => query.where('user_id', '=', userId as number))
      .executeTakeFirstOrThrow();
    return Number(bytes ?? 0);
  }

  /** Sets the time of use, which is at most an hour late, so that a conversation writes nothing for most requests. */
  async use(userId: number, ids: readonly string[], now: number): Promise<void> {
    await this.#database
      .updateTable('stored_responses')
      .set({ used_time: now })
      .where('user_id', '=', userId)
      .where('response_id', 'in', [...ids])
      .where('used_time', '<', now - usePrecisionSeconds)
      .execute();
  }

  /** Deletes a user's least recently used responses until the rest fits. */
  async trim(userId: number, max: number): Promise<void> {
    const ranked = this.#database
      .selectFrom('stored_responses')
      .select('response_id')
      .select(
        sql<number>`sum(stored_bytes) over (order by used_time desc, created_time desc, response_id desc)`.as('total'),
      )
      .where('user_id', '=', userId)
      .as('ranked');
    const rows = await this.#database.selectFrom(ranked).select('response_id').where('total', '>', max).execute();
    for (let at = 0; at < rows.length; at += idsAtOnce)
      await this.#removeAll(
        userId,
        rows.slice(at, at + idsAtOnce).map(({ response_id }) => response_id),
      );
  }

  /**
   * Deletes least recently used responses of all users until about this many bytes are freed. Returns the bytes freed.
   */
  async removeUnused(bytes: number): Promise<number> {
    const unused = await this.#database
      .selectFrom('stored_responses')
      .select(['user_id', 'response_id', 'stored_bytes'])
      .orderBy('used_time')
      .limit(removedAtOnce)
      .execute();
    let removed = 0;
    for (const { user_id, response_id, stored_bytes } of unused) {
      if (removed >= bytes) break;
      await this.#removeAll(user_id, [response_id]);
      removed += Number(stored_bytes);
    }
    return removed;
  }

  async remove(userId: number, id: string): Promise<boolean> {
    return (await this.#removeAll(userId, [id])) > 0;
  }

  async #removeAll(userId: number, ids: readonly string[]): Promise<number> {
    let removed = 0n;
    for (const table of tables.toReversed()) {
      const { numDeletedRows } = await this.#database
        .deleteFrom(table)
        .where('user_id', '=', userId)
        .where('response_id', 'in', [...ids])
        .executeTakeFirst();
      removed = numDeletedRows;
    }
    return Number(removed);
  }

  async removeOfUser(userId: number): Promise<void> {
    for (const table of tables) await this.#database.deleteFrom(table).where('user_id', '=', userId).execute();
  }

  /** Deletes some rows created up to this time and returns their number. */
  async removeUntil(time: number): Promise<number> {
    let removed = 0;
    for (const [table, key] of [
      ['stored_responses', 'response_id'],
      ['stored_response_items', 'item_id'],
    ] as const) {
      const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where (user_id, ${sql.ref(key)}) in
        (select user_id, ${sql.ref(key)} from ${sql.table(table)} where created_time <= ${time} limit ${removedAtOnce})`.execute(
        this.#database,
      );
      removed += Number(numAffectedRows);
    }
    return removed;
  }

  /** Deletes rows that were stored while their account was being deleted, and returns their number. */
  async removeOfClosed(): Promise<number> {
    let removed = 0;
    for (const table of tables) {
      const { numDeletedRows } = await this.#database
        .deleteFrom(table)
        .where('user_id', 'in', (users) =>
          users.selectFrom('users').select('users.id').where('users.status', '=', userStatus.deleted),
        )
        .executeTakeFirst();
      removed += Number(numDeletedRows);
    }
    return removed;
  }
}
