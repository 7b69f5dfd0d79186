import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { BucketCount } from '../logs/latency-buckets.ts';

export interface UsageSource {
  /** Empty: every model. */
  readonly model: string;
  /** 0: every channel. */
  readonly channel: number;
}

interface Hours {
  readonly from: number;
  readonly to: number;
}

/** Latencies by model and channel. */
export class UsageComparisonRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async latencies(
    { model, channel }: UsageSource,
    { from, to }: Hours,
  ): Promise<Record<'elapsed' | 'firstByte', readonly BucketCount[]>> {
    const rows = await this.#database
      .selectFrom(currentTable(this.#database, 'served_latency_hours'))
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .$if(model !== '', (query) => query.where('model_name', '=', model))
      .$if(channel !== 0, (query) => query.where('channel', '=', channel))
      .select('bucket')
      .select(({ fn }) => [fn.sum<number>('elapsed').as('elapsed'), fn.sum<number>('first_byte').as('first_byte')])
      .groupBy('bucket')
      .execute();
    return {
      elapsed: rows.map(({ bucket, elapsed }) => ({ bucket, count: elapsed })),
      firstByte: rows.map(({ bucket, first_byte }) => ({ bucket, count: first_byte })),
    };
  }
}
