import { channelStatus } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';

/** What alerts want to know of channels. */
export class AlertFactsRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  channels() {
    return this.#database.selectFrom('channels').select(['id', 'name', 'tag']).execute();
  }

  /** What is left at the providers that were ever asked, of channels that are on. */
  balances() {
    return this.#database
      .selectFrom('channels')
      .select(['id', 'name', 'balance'])
      .where('balance_updated_time', '>', 0)
      .where('status', '<>', channelStatus.disabled)
      .execute();
  }
}
