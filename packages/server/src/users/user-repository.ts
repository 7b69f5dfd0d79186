import { type User, userStatus } from '@headgate/contract';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { isUniqueViolation } from '../db/unique-violation.ts';

export type UserRow = Selectable<Schema['users']>;
type NewUser = Insertable<Schema['users']>;
type UserChange = Updateable<Schema['users']>;

/** The row without its secrets, absent identities as empty text. */
export function presentUser(row: UserRow): User {
  const { password_hash: _, ...rest } = row;
  return {
    ...rest,
    email: row.email ?? '',
    github_id: row.github_id ?? '',
    wechat_id: row.wechat_id ?? '',
    lark_id: row.lark_id ?? '',
    oidc_id: row.oidc_id ?? '',
    aff_code: row.aff_code ?? '',
  };
}

export class UserRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(id: number): Promise<UserRow | undefined> {
    return this.#living().where('id', '=', id).executeTakeFirst();
  }

  findByUsername(username: string): Promise<UserRow | undefined> {
    return this.#living().where('username', '=', username).executeTakeFirst();
  }

  findByLogin(usernameOrEmail: string): Promise<UserRow | undefined> {
    return this.#living()
      .where((where) => where.or([where('username', '=', usernameOrEmail), where('email', '=', usernameOrEmail)]))
      .orderBy((order) => order.case().when('username', '=', usernameOrEmail).then(0).else(1).end())
      .executeTakeFirst();
  }

  async hasAny(): Promise<boolean> {
    return (await this.#database.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
  }

  /** False when the name is taken. */
  async insertUnlessTaken(user: NewUser): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('users')
      .values(user)
      .onConflict((conflict) => conflict.column('username').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** False when the new name is taken, also by an account that is deleted. */
  async updateUnlessTaken(id: number, change: UserChange): Promise<boolean> {
    if (Object.keys(change).length === 0) return true;
    try {
      await this.#database.updateTable('users').set(change).where('id', '=', id).execute();
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  #living() {
    return this.#database.selectFrom('users').selectAll().where('status', '!=', userStatus.deleted);
  }
}
