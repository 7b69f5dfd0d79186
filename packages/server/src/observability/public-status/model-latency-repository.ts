import type { Database } from '../../platform/db/database.ts';

/** Requests of a model in an hour or a day with similar latency. */
export interface ModelLatency {
  readonly kind: 'hour' | 'day';
  /** First second of the hour or day. */
  readonly start: number;
  readonly model_name: string;
  readonly bucket: number;
  readonly elapsed: number;
  readonly first_byte: number;
}

export class ModelLatencyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In a fixed order, so that concurrent nodes wait for each other instead of deadlocking. */
  async add(rows: readonly ModelLatency[]): Promise<void> {
    const inOrder = rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    for (let at = 0; at < inOrder.length; at += maxConcurrent) {
      await this.#database
        .insertInto('model_latencies')
        .values(inOrder.slice(at, at + maxConcurrent))
        .onConflict((conflict) =>
          conflict.columns(['kind', 'start', 'model_name', 'bucket']).doUpdateSet((of) => ({
            elapsed: of('model_latencies.elapsed', '+', of.ref('excluded.elapsed')),
            first_byte: of('model_latencies.first_byte', '+', of.ref('excluded.first_byte')),
          })),
        )
        .execute();
    }
  }

  /** Summed over the hours or days since a time. */
  since(kind: ModelLatency['kind'], start: number, models: readonly string[]) {
    return this.#database
      .selectFrom('model_latencies')
      .where('kind', '=', kind)
      .where('start', '>=', start)
      .where('model_name', 'in', models)
      .select(['model_name', 'bucket'])
      .select(({ fn }) => [fn.sum<number>('elapsed').as('elapsed'), fn.sum<number>('first_byte').as('first_byte')])
      .groupBy(['model_name', 'bucket'])
      .execute();
  }

  async forgetBefore(kind: ModelLatency['kind'], start: number): Promise<void> {
    await this.#database.deleteFrom('model_latencies').where('kind', '=', kind).where('start', '<', start).execute();
  }
}

const maxConcurrent = 500;

const keyOf = ({ kind, start, model_name, bucket }: ModelLatency) => [kind, start, model_name, bucket].join('\0');
