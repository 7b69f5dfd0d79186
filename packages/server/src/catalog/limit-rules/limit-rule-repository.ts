import {
  type LimitMeasure,
  type LimitRule,
  limitCountScopes,
  limitMeasureNames,
  type limitRuleApi,
  limitStatus,
  maxLimitRules,
  type Parsed,
  userStatus,
} from '@headgate/contract';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { containsText, parseId, readPage } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type LimitRuleRow = Selectable<Schema['limit_rules']>;
export type LimitListing = Parsed<typeof limitRuleApi.list>['query'];
type NamedRow = LimitRuleRow &
  Pick<Record<keyof LimitRule, string | null>, 'token_name' | 'token_owner' | 'username' | 'channel_name'> & {
    readonly token_owner_id: number | null;
  };

/** A token or user by id. */
export interface RuleSubject {
  readonly kind: 'token' | 'user';
  readonly id: number;
}

export type RuleOwner = Pick<Selectable<Schema['users']>, 'id' | 'role'>;

/** Limit rules. Rows of a later version that this one cannot read are skipped. */
export class LimitRuleRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): LimitRuleRepository {
    return new LimitRuleRepository(transaction.database);
  }

  /** All enabled rules, which every node keeps in memory. */
  enabled(): Promise<LimitRuleRow[]> {
    return this.#database
      .selectFrom('limit_rules')
      .selectAll()
      .where('measure', 'in', limitMeasureNames)
      .where('counts_per', 'in', limitCountScopes)
      .where('enabled', '=', 1)
      .orderBy('id')
      .limit(maxLimitRules)
      .execute();
  }

  page(listing: LimitListing): Promise<{ rows: NamedRow[]; total: number }> {
    const { keyword, measure, status } = listing;
    let query = this.#named();
    if (status !== undefined) query = query.where('limit_rules.enabled', '=', status === limitStatus.enabled ? 1 : 0);
    if (measure) query = query.where('limit_rules.measure', '=', measure);
    if (keyword !== '') {
      const id = parseId(keyword);
      query = query.where((where) =>
        where.or([
          ...(['note', 'group', 'model', 'tag'] as const).map((column) =>
            containsText(where, `limit_rules.${column}`, keyword),
          ),
          containsText(where, 'users.username', keyword),
          containsText(where, 'tokens.name', keyword),
          containsText(where, 'channels.name', keyword),
          ...(id === undefined ? [] : [where('limit_rules.id', '=', id)]),
        ]),
      );
    }
    return readPage(query.orderBy('limit_rules.id', 'desc'), listing);
  }

  find(id: number): Promise<NamedRow | undefined> {
    return this.#named().where('limit_rules.id', '=', id).executeTakeFirst();
  }

  /** Enabled rules of exactly this token or user, for all groups and models; lowest amount first. */
  async idsOfSubject({ kind, id }: RuleSubject, measure: LimitMeasure): Promise<number[]> {
    const rules = this.#database
      .selectFrom('limit_rules')
      .select('id')
      .where('enabled', '=', 1)
      .where('measure', '=', measure)
      .where('group', '=', '')
      .where('model', '=', '')
      .where('channel_id', '=', 0)
      .where('tag', '=', '');
    const ofSubject =
      kind === 'token'
        ? rules.where('token_id', '=', id)
        : rules.where('user_id', '=', id).where('token_id', '=', 0).where('counts_per', 'in', ['all', 'user']);
    const rows = await ofSubject.orderBy('amount').orderBy('id').execute();
    return rows.map((row) => row.id);
  }

  async idsNoted(note: string): Promise<number[]> {
    const rows = await this.#database
      .selectFrom('limit_rules')
      .select('id')
      .where('note', '=', note)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Locks the rule until the transaction ends. */
  findLocked(id: number): Promise<LimitRuleRow | undefined> {
    return this.#database.selectFrom('limit_rules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  }

  async count(): Promise<number> {
    const { count } = await this.#database
      .selectFrom('limit_rules')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Deleted accounts keep a row but do not count, nor do their tokens. */
  async exists(kind: 'user' | 'token' | 'channel', id: number): Promise<boolean> {
    const users = this.#database.selectFrom('users').select('users.id').where('status', '<>', userStatus.deleted);
    const tokens = this.#database.selectFrom('tokens').select('tokens.id').where('user_id', 'in', users);
    const find = {
      user: () => users.where('users.id', '=', id).executeTakeFirst(),
      token: () => tokens.where('tokens.id', '=', id).executeTakeFirst(),
      channel: () => this.#database.selectFrom('channels').select('id').where('id', '=', id).executeTakeFirst(),
    };
    return (await find[kind]()) !== undefined;
  }

  /** Users that a rule names directly or through a token; deleted users are left out. */
  ownersOf({ user_id, token_id }: Pick<LimitRuleRow, 'user_id' | 'token_id'>): Promise<RuleOwner[]> {
    const ownerOfToken = this.#database.selectFrom('tokens').select('user_id').where('id', '=', token_id);
    return this.#database
      .selectFrom('users')
      .select(['id', 'role'])
      .where('status', '<>', userStatus.deleted)
      .where((where) => where.or([where('id', '=', user_id), where('id', 'in', ownerOfToken)]))
      .execute();
  }

  async insert(rule: Insertable<Schema['limit_rules']>): Promise<number> {
    const { id } = await this.#database
      .insertInto('limit_rules')
      .values(rule)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async update(id: number, change: Updateable<Schema['limit_rules']>): Promise<void> {
    await this.#database.updateTable('limit_rules').set(change).where('id', '=', id).execute();
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('limit_rules').where('id', '=', id).execute();
  }

  /** Names of a user's tokens by id. */
  async tokensOf(userId: number): Promise<ReadonlyMap<number, string>> {
    const rows = await this.#database
      .selectFrom('tokens')
      .select(['id', 'name'])
      .where('user_id', '=', userId)
      .execute();
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  #named() {
    return this.#database
      .selectFrom('limit_rules')
      .leftJoin('tokens', 'tokens.id', 'limit_rules.token_id')
      .leftJoin('users', (join) =>
        join.onRef('users.id', '=', 'limit_rules.user_id').on('users.status', '<>', userStatus.deleted),
      )
      .leftJoin('channels', 'channels.id', 'limit_rules.channel_id')
      .where('limit_rules.measure', 'in', limitMeasureNames)
      .where('limit_rules.counts_per', 'in', limitCountScopes)
      .selectAll('limit_rules')
      .select(['tokens.name as token_name', 'users.username as username', 'channels.name as channel_name'])
      .select([
        'tokens.user_id as token_owner_id',
        sql<string | null>`(select owners.username from users as owners
          where owners.id = tokens.user_id and owners.status <> ${sql.lit(userStatus.deleted)})`.as('token_owner'),
      ]);
  }
}
