import { channelStatus } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';

/** Channel data for alerts. */
export class AlertChannelRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  channels() {
    return this.#database.selectFrom('channels').select(['id', 'name', 'tag']).execute();
  }

  /** Provider balances of enabled channels, if they were ever read. */
  balances() {
    return this.#database
      .selectFrom('channels')
      .select(['id', 'name', 'balance'])
      .where('balance_updated_time', '>', 0)
      .where('status', '<>', channelStatus.disabled)
      .execute();
  }
}
