import type { KeptAnswer } from '@headgate/relay';
import { nowInSeconds } from '../../clock.ts';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../transaction.ts';

/** A response that a channel's upstream keeps, and for whom. */
export interface KeptResponse extends KeptAnswer {
  readonly user: number;
}

/** How long responses are kept: as long as providers keep them. */
const keptSeconds = 30 * 24 * 3600;
const cleanedEverySeconds = 3600;

/** Which channel's upstream keeps which response, for the user it was made for. What it says is not here. */
export class KeptResponseRepository {
  readonly #database: Database;
  readonly #cleaning: { last: number };

  constructor(database: Database, cleaning = { last: 0 }) {
    this.#database = database;
    this.#cleaning = cleaning;
  }

  within(transaction: Transaction): KeptResponseRepository {
    return new KeptResponseRepository(transaction.database, this.#cleaning);
  }

  /** What has expired goes with what comes, once an hour. */
  async add(responses: readonly KeptResponse[]): Promise<void> {
    if (responses.length === 0) return;
    const now = nowInSeconds();
    for (const response of responses) await this.#add(response, now + keptSeconds);
    if (now - this.#cleaning.last < cleanedEverySeconds) return;
    this.#cleaning.last = now;
    await this.#database.deleteFrom('kept_responses').where('expires_time', '<=', now).execute();
  }

  async find(user: number, id: string): Promise<KeptAnswer | undefined> {
    const row = await this.#database
      .selectFrom('kept_responses')
      .select(['channel_id', 'tokens', 'attached_tokens'])
      .where('user_id', '=', user)
      .where('response_id', '=', id)
      .where('expires_time', '>', nowInSeconds())
      .executeTakeFirst();
    return row && { id, channel: row.channel_id, tokens: row.tokens, attachedTokens: row.attached_tokens };
  }

  async remove(user: number, id: string): Promise<void> {
    await this.#database
      .deleteFrom('kept_responses')
      .where('user_id', '=', user)
      .where('response_id', '=', id)
      .execute();
  }

  async #add({ user, id, channel, tokens, attachedTokens }: KeptResponse, expires_time: number): Promise<void> {
    const values = { channel_id: channel, tokens, attached_tokens: attachedTokens, expires_time };
    await this.#database
      .insertInto('kept_responses')
      .values({ user_id: user, response_id: id, ...values })
      .onConflict((conflict) => conflict.columns(['user_id', 'response_id']).doUpdateSet(values))
      .execute();
  }
}
