import { type LogReason, logReasons } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { upToDate } from '../../platform/db/up-to-date.ts';
import { hourOf } from './roll-up.ts';

interface FailureQuery {
  readonly channel: number;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

/** More kinds of failures than anybody looks at. */
const mostRows = 1000;

const known = sql.join(['', ...Object.keys(logReasons)].map((reason) => sql.lit(reason)));
/** A reason that only a later version has a word for is one of the others. */
const toldReason = sql<
  LogReason | ''
>`case when failure_hours.reason in (${known}) then failure_hours.reason else 'other' end`;

/** Failed requests by channel and reason, from their hourly sums. */
export class FailureCountRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The most frequent first. Whole hours: of the first one all is counted. */
  async counts({ channel, start_timestamp, end_timestamp }: FailureQuery) {
    let query = this.#database
      .selectFrom(upToDate(this.#database, 'failure_hours'))
      .leftJoin('channels', 'channels.id', 'failure_hours.channel')
      .where('hour', '>=', hourOf(start_timestamp));
    if (end_timestamp > 0) query = query.where('hour', '<=', end_timestamp);
    if (channel > 0) query = query.where('failure_hours.channel', '=', channel);
    const rows = await query
      .select(['failure_hours.channel', toldReason.as('reason')])
      .select(({ fn }) => [
        fn.max<string | null>('channels.name').as('channel_name'),
        fn.sum<number>('failure_hours.rows').as('rows'),
        fn.max<number>('failure_hours.status').as('status'),
        fn.max<number>('failure_hours.hour').as('last_hour'),
      ])
      .groupBy(['failure_hours.channel', toldReason])
      .orderBy('rows', 'desc')
      .orderBy('failure_hours.channel')
      .limit(mostRows)
      .execute();
    return rows.map((row) => ({ ...row, channel_name: row.channel_name ?? '' }));
  }
}
