import { channelStatus, logType, outageReasons } from '@headgate/contract';
import { sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';

/** Number of requests of a model in a time step, numbered from 1970. */
export interface ModelCount {
  readonly model_name: string;
  readonly step: number;
  readonly count: number;
}

/** Reads hourly totals, never the logs. */
export class PublicStatusRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Models of a group, on enabled and automatically disabled channels. */
  async models(group: string, max: number): Promise<readonly string[]> {
    const rows = await this.#database
      .selectFrom('abilities')
      .innerJoin('channels', 'channels.id', 'abilities.channel_id')
      .where('abilities.group', '=', group)
      .where('channels.status', '<>', channelStatus.disabled)
      .select('abilities.model')
      .distinct()
      .orderBy('abilities.model')
      .limit(max)
      .execute();
    return rows.map(({ model }) => model);
  }

  /** Successful requests; `from` and `to` are inclusive, in seconds. */
  succeeded({ models, from, to, seconds }: CountedPeriod): Promise<ModelCount[]> {
    return this.#database
      .selectFrom(currentTable(this.#database, 'site_hours'))
      .where('model_name', 'in', models)
      .where('type', '=', logType.consumption)
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .select(['model_name', stepOf(seconds), ({ fn }) => fn.sum<number>('rows').as('count')])
      .groupBy(['model_name', 'step'])
      .execute();
  }

  /** Valid requests that failed. */
  failed({ models, from, to, seconds }: CountedPeriod): Promise<ModelCount[]> {
    return this.#database
      .selectFrom(currentTable(this.#database, 'site_hours'))
      .where('model_name', 'in', models)
      .where('type', '=', logType.failure)
      .where('reason', 'in', outageReasons)
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .select(['model_name', stepOf(seconds), ({ fn }) => fn.sum<number>('rows').as('count')])
      .groupBy(['model_name', 'step'])
      .execute();
  }
}

export interface CountedPeriod {
  readonly models: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Length of a step. */
  readonly seconds: number;
}

const stepOf = (seconds: number) => sql<number>`hour / ${sql.lit(seconds)}`.as('step');
