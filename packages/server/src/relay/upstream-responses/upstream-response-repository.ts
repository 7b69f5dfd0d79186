import type { PreviousContext, UpstreamStoredResponse as StoredUpstream, UpstreamStoredItem } from '@headgate/relay';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';

/** A response stored by a channel's upstream, and its user. */
export interface UpstreamStoredResponse extends StoredUpstream {
  readonly user: number;
}

/** Retention in seconds; the same as at providers. */
export const upstreamResponseRetentionSeconds = 30 * 24 * 3600;
const cleanedEverySeconds = 3600;
/** Items per statement. */
const itemsAtOnce = 500;

/** Records which channel's upstream stores which response of a user. The content is not stored here. */
export class UpstreamResponseRepository {
  readonly #database: Database;
  readonly #cleaning: { last: number };

  constructor(database: Database, cleaning = { last: 0 }) {
    this.#database = database;
    this.#cleaning = cleaning;
  }

  within(transaction: Transaction): UpstreamResponseRepository {
    return new UpstreamResponseRepository(transaction.database, this.#cleaning);
  }

  /** Stores a response, and deletes expired ones. */
  async add(responses: readonly UpstreamStoredResponse[]): Promise<void> {
    if (responses.length === 0) return;
    const now = nowInSeconds();
    for (const response of responses) await this.#add(response, now);
    await this.forgetExpired(now);
  }

  /** Runs at most once an hour. */
  async forgetExpired(now: number): Promise<void> {
    if (now - this.#cleaning.last < cleanedEverySeconds) return;
    this.#cleaning.last = now;
    for (const table of ['kept_responses', 'kept_items'] as const)
      await this.#database.deleteFrom(table).where('expires_time', '<=', now).execute();
  }

  async find(user: number, id: string): Promise<PreviousContext | undefined> {
    const row = await this.#database
      .selectFrom('kept_responses')
      .select(['channel_id', 'key_id', 'tokens', 'attached_tokens'])
      .where('user_id', '=', user)
      .where('response_id', '=', id)
      .where('expires_time', '>', nowInSeconds())
      .executeTakeFirst();
    if (!row) return undefined;
    return { id, channel: row.channel_id, key: row.key_id, tokens: row.tokens, attachedTokens: row.attached_tokens };
  }

  /** Returns the items that belong to this user. */
  async findItems(user: number, ids: readonly string[]): Promise<readonly UpstreamStoredItem[]> {
    const found: UpstreamStoredItem[] = [];
    for (let at = 0; at < ids.length; at += itemsAtOnce)
      found.push(...(await this.#findSome(user, ids.slice(at, at + itemsAtOnce))));
    return found;
  }

  /** Its items can then no longer be found. */
  async remove(user: number, id: string): Promise<void> {
    await this.#database
      .deleteFrom('kept_responses')
      .where('user_id', '=', user)
      .where('response_id', '=', id)
      .execute();
  }

  async #findSome(user: number, ids: readonly string[]): Promise<readonly UpstreamStoredItem[]> {
    const rows = await this.#database
      .selectFrom('kept_items')
      .innerJoin('kept_responses', (join) =>
        join
          .onRef('kept_responses.user_id', '=', 'kept_items.user_id')
          .onRef('kept_responses.response_id', '=', 'kept_items.response_id'),
      )
      .select(['kept_items.item_id', 'kept_items.response_id', 'kept_responses.channel_id'])
      .select(['kept_responses.key_id', 'kept_responses.item_tokens'])
      .where('kept_items.user_id', '=', user)
      .where('kept_items.item_id', 'in', ids)
      .where('kept_responses.expires_time', '>', nowInSeconds())
      .execute();
    return rows.map(({ item_id, response_id, channel_id, key_id, item_tokens }) => ({
      id: item_id,
      response: response_id,
      channel: channel_id,
      key: key_id,
      itemTokens: item_tokens,
    }));
  }

  /** An id that another channel already issued to the same user stays with that channel. */
  async #add({ user, channel, key: key_id, items, ...response }: UpstreamStoredResponse, now: number): Promise<void> {
    const expires_time = now + upstreamResponseRetentionSeconds;
    const { id, tokens, attachedTokens: attached_tokens, itemTokens: item_tokens } = response;
    const values = { channel_id: channel, key_id, tokens, attached_tokens, item_tokens, expires_time };
    const written = await this.#database
      .insertInto('kept_responses')
      .values({ user_id: user, response_id: id, ...values })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'response_id'])
          .doUpdateSet(values)
          .where(({ or, eb }) =>
            or([eb('kept_responses.channel_id', '=', channel), eb('kept_responses.expires_time', '<=', now)]),
          ),
      )
      .returning('response_id')
      .executeTakeFirst();
    if (written && items.length > 0) await this.#addItems(user, { id, items, now });
  }

  async #addItems(
    user: number,
    { id, items, now }: Pick<UpstreamStoredResponse, 'id' | 'items'> & { readonly now: number },
  ) {
    const values = { response_id: id, expires_time: now + upstreamResponseRetentionSeconds };
    await this.#database
      .insertInto('kept_items')
      .values(items.slice(0, itemsAtOnce).map((item_id) => ({ user_id: user, item_id, ...values })))
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'item_id']).doUpdateSet(values).where('kept_items.expires_time', '<=', now),
      )
      .execute();
  }
}
