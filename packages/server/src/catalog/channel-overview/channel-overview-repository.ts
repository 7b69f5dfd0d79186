import { logType } from '@headgate/contract';
import { sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { quotaWithoutCost, readFreeModels } from '../../platform/db/unknown-cost.ts';
import { secondsPerHour } from '../../records/logs/hours.ts';

interface Period {
  readonly from: number;
  readonly to: number;
}

const requestTypes = [logType.consumption, logType.failure];
/** Maximum requests per hour used to compute latencies. */
const sampledPerHour = 200;

/** Traffic of channels from `site_hours`, and the latest requests of one channel. */
export class ChannelOverviewRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Models and groups of a channel; undefined if there is no such channel. */
  channel(id: number) {
    return this.#database
      .selectFrom('channels')
      .select(['id', 'models', 'type'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** Requests of all channels by hour. */
  traffic({ from, to }: Period) {
    return this.#database
      .selectFrom(currentTable(this.#database, 'site_hours'))
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .where('channel', '>', 0)
      .where('type', 'in', requestTypes)
      .select(['channel', 'hour', 'type'])
      .select(({ fn }) => fn.sum<number>('rows').as('requests'))
      .groupBy(['channel', 'hour', 'type'])
      .execute();
  }

  /** Traffic of one channel by hour and model. */
  async sums(channel: number, { from, to }: Period) {
    const free = await readFreeModels(this.#database);
    return this.#database
      .selectFrom(currentTable(this.#database, 'site_hours'))
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .where('channel', '=', channel)
      .where('type', 'in', requestTypes)
      .select(['hour', 'model_name', 'type'])
      .select(({ fn }) => [
        fn.sum<number>('rows').as('requests'),
        fn.sum<number>('quota').as('quota'),
        fn.sum<number>('cost').as('cost'),
        sql<number>`sum(${quotaWithoutCost(free)})`.as('uncosted_quota'),
      ])
      .groupBy(['hour', 'model_name', 'type'])
      .execute();
  }

  /** Durations of the last requests of each hour, so that the work is bounded regardless of traffic. */
  async latencies(channel: number, hours: readonly number[]) {
    if (hours.length === 0) return [];
    const parts = hours.map(
      (hour) => sql`select * from (
        select ${sql.lit(hour)} as hour, type, elapsed_time, first_byte_time from logs
        where channel = ${sql.lit(channel)} and created_at >= ${sql.lit(hour)}
          and created_at < ${sql.lit(hour + secondsPerHour)}
        order by created_at desc, id desc limit ${sql.lit(sampledPerHour)}) as part`,
    );
    const { rows } = await sql<{
      hour: number;
      type: number;
      elapsed_time: number;
      first_byte_time: number;
    }>`${sql.join(parts, sql` union all `)}`.execute(this.#database);
    return rows.filter(({ type }) => type === logType.consumption);
  }

  /** Failed requests since a time, latest first. */
  failures(channel: number, { from, to }: Period, count: number) {
    return this.#database
      .selectFrom('logs')
      .select(['id', 'created_at', 'request_id', 'model_name', 'reason', 'status', 'content as message'])
      .where('channel', '=', channel)
      .where('type', '=', logType.failure)
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(count)
      .execute();
  }
}
