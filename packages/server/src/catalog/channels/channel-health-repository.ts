import type { LogReason } from '@headgate/contract';
import type { Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

type TestColumns = Pick<
  Updateable<Schema['channels']>,
  | 'test_time'
  | 'response_time'
  | 'tested_model'
  | 'test_status'
  | 'test_reason'
  | 'test_message'
  | 'is_failing'
  | 'failure_count'
>;

/** Results of requests for a channel. */
interface RequestResults {
  /** A request succeeded before the counted failures. */
  readonly hasResponded: boolean;
  readonly failures: number;
  readonly last:
    | {
        readonly time: number;
        readonly reason: LogReason;
        readonly message: string;
        readonly status: number;
        readonly model: string;
      }
    | undefined;
}

/** Columns written by tests and requests; admins never edit them. */
export class ChannelHealthRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ChannelHealthRepository {
    return new ChannelHealthRepository(transaction.database);
  }

  async failing(): Promise<number[]> {
    const rows = await this.#database.selectFrom('channels').select('id').where('is_failing', '=', 1).execute();
    return rows.map(({ id }) => id);
  }

  async recordTest(id: number, columns: TestColumns): Promise<void> {
    await this.#database.updateTable('channels').set(columns).where('id', '=', id).execute();
  }

  async recordRequests(id: number, { hasResponded, failures, last }: RequestResults): Promise<void> {
    await this.#database
      .updateTable('channels')
      .set((set) => ({
        failure_count: hasResponded ? failures : set('failure_count', '+', failures),
        is_failing: failures > 0 ? 1 : 0,
        ...(last && {
          failure_time: last.time,
          failure_reason: last.reason,
          failure_message: last.message,
          failure_status: last.status,
          failure_model: last.model,
        }),
      }))
      .where('id', '=', id)
      .execute();
  }
}
