import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { isPostgres } from '../../db/migrations/columns.ts';
import type { Transaction } from '../../transaction.ts';

/** What one owner spent in a batch. */
export interface Spending {
  readonly id: number;
  readonly quota: number;
  readonly requests: number;
}

/**
 * The columns that spending moves; always inside the transaction that writes the log rows. Written as text, because the
 * relay does this all the time and building statements would cost more than running them.
 */
export class SettlementRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): SettlementRepository {
    return new SettlementRepository(transaction.database);
  }

  /** What the user has left, and the number of the transaction, by which its fate can be asked for. */
  async spendOfUser({ id, quota, requests }: Spending): Promise<{ left: number; transactionId: number | null }> {
    const transactionId = isPostgres(this.#database) ? sql`txid_current()` : sql`null`;
    const { rows } = await sql<{ quota: number; transaction_id: number | null }>`update users set
      quota = quota - ${quota}, used_quota = used_quota + ${quota}, request_count = request_count + ${requests}
      where id = ${id} returning quota, ${transactionId} as transaction_id`.execute(this.#database);
    return { left: rows[0]?.quota ?? 0, transactionId: rows[0]?.transaction_id ?? null };
  }

  /** What became of a transaction whose end was not seen. SQLite does not lose sight of one. */
  async fateOf(transactionId: number): Promise<'committed' | 'aborted' | 'in progress'> {
    const { rows } = await sql<{ fate: 'committed' | 'aborted' | 'in progress' | null }>`
      select txid_status(${transactionId}) as fate`.execute(this.#database);
    return rows[0]?.fate ?? 'aborted';
  }

  async spendOfToken({ id, quota }: Spending, isLimited: boolean, now: number): Promise<void> {
    const limit = isLimited ? quota : 0;
    await sql`update tokens set remain_quota = remain_quota - ${limit}, used_quota = used_quota + ${quota},
      accessed_time = ${now} where id = ${id}`.execute(this.#database);
  }

  async spendOnChannel({ id, quota }: Spending): Promise<void> {
    await sql`update channels set used_quota = used_quota + ${quota} where id = ${id}`.execute(this.#database);
  }
}
