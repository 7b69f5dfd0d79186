import { channelStatus, logType, tokenStatus } from '@headgate/contract';
import { sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { BucketCount } from '../../records/logs/latency-buckets.ts';

const maxTokens = 5;
const soonInSeconds = 7 * 86_400;

/** Data of the home page, read from small tables. */
export class HomeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Latency counts of the hours between two times. */
  async latencies(from: number, to: number): Promise<Record<'elapsed' | 'firstByte', readonly BucketCount[]>> {
    const rows = await this.#database
      .selectFrom(currentTable(this.#database, 'latency_hours'))
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .select('bucket')
      .select(({ fn }) => [fn.sum<number>('elapsed').as('elapsed'), fn.sum<number>('first_byte').as('first_byte')])
      .groupBy('bucket')
      .execute();
    return {
      elapsed: rows.map(({ bucket, elapsed }) => ({ bucket, count: elapsed })),
      firstByte: rows.map(({ bucket, first_byte }) => ({ bucket, count: first_byte })),
    };
  }

  /** All channels that no admin has disabled. */
  channels() {
    return this.#database
      .selectFrom('channels')
      .select(['id', 'name', 'status', 'is_failing', 'test_time', 'test_reason', 'test_message', 'test_status'])
      .select(['failure_time', 'failure_reason', 'failure_message', 'failure_status', 'failure_count'])
      .where('status', '<>', channelStatus.disabled)
      .orderBy('id')
      .execute();
  }

  /** Onboarding progress. Counts channels and requests of the whole gateway. */
  async steps(userId: number) {
    const channels = this.#database.selectFrom('channels').select(sql<number>`1`.as('one')).limit(1);
    const { channel, tested, token, request } = await this.#database
      .selectNoFrom([
        channels.as('channel'),
        channels.where('test_time', '>', 0).where('test_reason', '=', '').as('tested'),
        this.#database
          .selectFrom('tokens')
          .select(sql<number>`1`.as('one'))
          .where('user_id', '=', userId)
          .limit(1)
          .as('token'),
        this.#database
          .selectFrom(currentTable(this.#database, 'site_hours'))
          .select(sql<number>`1`.as('one'))
          .where('type', '=', logType.consumption)
          .limit(1)
          .as('request'),
      ])
      .executeTakeFirstOrThrow();
    return { channel: channel === 1, tested: tested === 1, token: token === 1, request: request === 1 };
  }

  /** Active tokens with at most a tenth of their quota or a week of their lifetime left. */
  async endingTokens(userId: number) {
    const now = nowInSeconds();
    const rows = await this.#database
      .selectFrom(currentTable(this.#database, 'tokens'))
      .select(['id', 'name', 'remain_quota', 'unlimited_quota', 'expired_time'])
      .where('user_id', '=', userId)
      .where('status', '=', tokenStatus.enabled)
      .where(({ or, and, eb }) =>
        or([
          and([eb('expired_time', '>', now), eb('expired_time', '<', now + soonInSeconds)]),
          and([
            eb('unlimited_quota', '=', 0),
            eb('remain_quota', '>', 0),
            sql<boolean>`remain_quota * 9 < used_quota`,
            or([eb('expired_time', '=', -1), eb('expired_time', '>', now)]),
          ]),
        ]),
      )
      .orderBy('id')
      .limit(maxTokens)
      .execute();
    return rows.map((row) => ({ ...row, unlimited_quota: row.unlimited_quota === 1 }));
  }
}

export type HomeChannel = Awaited<ReturnType<HomeRepository['channels']>>[number];
