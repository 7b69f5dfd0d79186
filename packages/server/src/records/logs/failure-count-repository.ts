import { type LogReason, logReasons, logType } from '@headgate/contract';
import { sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { hourOf } from './hours.ts';

interface FailureQuery {
  readonly channel: number;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

const maxRows = 1000;

const known = sql.join(['', ...Object.keys(logReasons)].map((reason) => sql.lit(reason)));
/** Reasons written by later versions are counted as `other`. */
const knownReason = sql<
  LogReason | ''
>`case when site_hours.reason in (${known}) then site_hours.reason else 'other' end`;

/** Failed requests by channel and reason, from the hourly rollup. */
export class FailureCountRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Most frequent first. Counts whole hours, so the first hour is included completely. */
  async counts({ channel, start_timestamp, end_timestamp }: FailureQuery) {
    let query = this.#database
      .selectFrom(currentTable(this.#database, 'site_hours'))
      .leftJoin('channels', 'channels.id', 'site_hours.channel')
      .where('site_hours.type', '=', logType.failure)
      .where('hour', '>=', hourOf(start_timestamp));
    if (end_timestamp > 0) query = query.where('hour', '<=', end_timestamp);
    if (channel > 0) query = query.where('site_hours.channel', '=', channel);
    const rows = await query
      .select(['site_hours.channel', knownReason.as('reason')])
      .select(({ fn }) => [
        fn.max<string | null>('channels.name').as('channel_name'),
        fn.sum<number>('site_hours.rows').as('rows'),
        fn.max<number>('site_hours.status').as('status'),
        fn.max<number>('site_hours.hour').as('last_hour'),
      ])
      .groupBy(['site_hours.channel', knownReason])
      .orderBy('rows', 'desc')
      .orderBy('site_hours.channel')
      .limit(maxRows)
      .execute();
    return rows.map((row) => ({ ...row, channel_name: row.channel_name ?? '' }));
  }
}
