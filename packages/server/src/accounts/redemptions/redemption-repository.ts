import { type Parsed, type Redemption, type redemptionApi, redemptionStatus } from '@headgate/contract';
import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { containsText, parseId, readPage } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

export type RedemptionRow = Selectable<Schema['redemptions']>;
type NewRedemption = Insertable<Schema['redemptions']>;
type RedemptionChange = Updateable<Schema['redemptions']>;
export type RedemptionListing = Parsed<typeof redemptionApi.list>['query'] & { readonly keyword?: string };

/** The row with its code in plain text; empty if it cannot be decrypted. */
export const presentRedemption = (
  { key_sealed, key_hash: _hash, ...row }: RedemptionRow,
  box: SecretBox,
): Redemption => ({ ...row, key: box.openIfReadable(key_sealed) ?? '' });

/** Limited by the number of parameters per statement. */
const rowsPerStatement = 500;

export class RedemptionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): RedemptionRepository {
    return new RedemptionRepository(transaction.database);
  }

  page(listing: RedemptionListing) {
    const { sort = 'id' } = listing;
    const direction = listing.sort === undefined ? 'desc' : listing.direction;
    let query = filterCodes(this.#database.selectFrom('redemptions').selectAll(), listing);
    if (sort === 'name') query = query.orderBy(sql`fold_case(name)`, direction);
    else if (sort !== 'id') query = query.orderBy(sort, direction);
    return readPage(query.orderBy('id', direction), listing);
  }

  countByStatus(): Promise<{ status: number; count: number }[]> {
    return this.#database
      .selectFrom('redemptions')
      .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
      .groupBy('status')
      .execute();
  }

  find(id: number): Promise<RedemptionRow | undefined> {
    return this.#withId(id).executeTakeFirst();
  }

  /** Finds a code and locks it until the transaction ends. */
  findLocked(id: number): Promise<RedemptionRow | undefined> {
    return this.#withId(id).forUpdate().executeTakeFirst();
  }

  findByKeyHash(hash: string): Promise<RedemptionRow | undefined> {
    return this.#database.selectFrom('redemptions').selectAll().where('key_hash', '=', hash).executeTakeFirst();
  }

  async insert(codes: readonly NewRedemption[]): Promise<void> {
    for (let start = 0; start < codes.length; start += rowsPerStatement) {
      const part = codes.slice(start, start + rowsPerStatement);
      await this.#database.insertInto('redemptions').values(part).execute();
    }
  }

  /** Counts a use of a code and locks it; undefined when it is disabled, expired or used up. */
  take(hash: string, accountId: number, now: number): Promise<RedemptionRow | undefined> {
    return this.#database
      .updateTable('redemptions')
      .set({
        use_count: sql`use_count + 1`,
        status: sql`case when use_count + 1 >= max_uses then ${sql.lit(redemptionStatus.used)} else status end`,
        redeemed_user_id: accountId,
        redeemed_time: now,
      })
      .where('key_hash', '=', hash)
      .where('status', '=', redemptionStatus.unused)
      .where((where) => where.or([where('expired_time', '=', 0), where('expired_time', '>', now)]))
      .returningAll()
      .executeTakeFirst();
  }

  /** False when the user has redeemed the code before. */
  async rememberUse(use: Insertable<Schema['redemption_uses']>): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('redemption_uses')
      .values(use)
      .onConflict((conflict) => conflict.columns(['redemption_id', 'user_id']).doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  update(id: number, change: RedemptionChange): Promise<RedemptionRow> {
    return this.#database
      .updateTable('redemptions')
      .set(change)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** False when no such code exists. */
  async remove(id: number): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('redemptions')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  }

  #withId(id: number) {
    return this.#database.selectFrom('redemptions').selectAll().where('id', '=', id);
  }
}

export interface CodeFilter {
  readonly status?: number | undefined;
  readonly keyword?: string | undefined;
}

export function filterCodes<Row>(
  query: SelectQueryBuilder<Schema, 'redemptions', Row>,
  { status, keyword }: CodeFilter,
) {
  const narrow = status ? query.where('status', '=', status) : query;
  if (!keyword) return narrow;
  const id = parseId(keyword);
  return narrow.where((where) =>
    where.or([containsText(where, 'name', keyword), ...(id === undefined ? [] : [where('id', '=', id)])]),
  );
}
