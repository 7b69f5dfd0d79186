import { neverExpires, type ScimToken } from '@headgate/contract';
import type { Insertable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

type NewScimToken = Required<Omit<Insertable<Schema['scim_tokens']>, 'id' | 'used_time'>>;

/** Tokens with which directories call the SCIM API. Only their hashes are stored. */
export class ScimTokenRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ScimTokenRepository {
    return new ScimTokenRepository(transaction.database);
  }

  /** Newest first. */
  of(organizationId: number): Promise<ScimToken[]> {
    return this.#database
      .selectFrom('scim_tokens')
      .select(['id', 'prefix', 'created_time', 'expired_time', 'used_time'])
      .where('organization_id', '=', organizationId)
      .orderBy('id', 'desc')
      .execute();
  }

  /** A valid token, with the organization that it provisions. */
  find(keyHash: string, now: number) {
    return this.#database
      .selectFrom('scim_tokens')
      .innerJoin('organizations', 'organizations.id', 'scim_tokens.organization_id')
      .leftJoin('users as creator', 'creator.id', 'scim_tokens.creator_id')
      .leftJoin('organization_members as member', (join) =>
        join
          .onRef('member.organization_id', '=', 'scim_tokens.organization_id')
          .onRef('member.user_id', '=', 'scim_tokens.creator_id'),
      )
      .select(['scim_tokens.id', 'scim_tokens.organization_id', 'used_time', 'organizations.sso_allowed'])
      .select(['creator_id', 'creator.status as creator_status', 'creator.role as creator_role'])
      .select('member.role as member_role')
      .where('key_hash', '=', keyHash)
      .where((where) => where.or([where('expired_time', '=', neverExpires), where('expired_time', '>', now)]))
      .executeTakeFirst();
  }

  async insert(token: NewScimToken): Promise<number> {
    const { id } = await this.#database
      .insertInto('scim_tokens')
      .values(token)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async touch(id: number, used_time: number): Promise<void> {
    await this.#database.updateTable('scim_tokens').set({ used_time }).where('id', '=', id).execute();
  }

  /** Tokens that would be valid longer expire at `time`. */
  async expireAll(organizationId: number, time: number): Promise<void> {
    await this.#database
      .updateTable('scim_tokens')
      .set({ expired_time: time })
      .where('organization_id', '=', organizationId)
      .where((where) => where.or([where('expired_time', '=', neverExpires), where('expired_time', '>', time)]))
      .execute();
  }

  async removeExpired(organizationId: number, now: number): Promise<void> {
    await this.#database
      .deleteFrom('scim_tokens')
      .where('organization_id', '=', organizationId)
      .where('expired_time', '<>', neverExpires)
      .where('expired_time', '<=', now)
      .execute();
  }

  /** Prefix of the removed token; undefined when the organization has no such token. */
  async remove(organizationId: number, id: number): Promise<string | undefined> {
    const row = await this.#database
      .deleteFrom('scim_tokens')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .returning('prefix')
      .executeTakeFirst();
    return row?.prefix;
  }
}

export type FoundScimToken = NonNullable<Awaited<ReturnType<ScimTokenRepository['find']>>>;
