import type { Insertable, Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

type NewIssuer = Omit<Insertable<Schema['jwt_issuers']>, 'id'>;
type IssuerChange = Omit<Updateable<Schema['jwt_issuers']>, 'id' | 'organization_id'>;

export interface ClaimToken {
  readonly value: string;
  readonly token_id: number;
}

export interface JwtIssuerRow {
  readonly id: number;
  readonly organization_id: number;
  readonly name: string;
  readonly issuer: string;
  readonly audience: string;
  readonly keys_url: string;
  readonly claim: string;
  readonly token_id: number;
  /** One per line. */
  readonly blocked_subjects: string;
  readonly not_before: number;
  readonly is_enabled: number;
  readonly is_private_allowed: number;
  readonly created_time: number;
  /** In the order in which they are tried. */
  readonly values: readonly ClaimToken[];
}

/** Issuers whose JWTs are API credentials of organizations. */
export class JwtIssuerRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): JwtIssuerRepository {
    return new JwtIssuerRepository(transaction.database);
  }

  /** By name. */
  async of(organizationId: number): Promise<JwtIssuerRow[]> {
    const rows = await this.#database
      .selectFrom('jwt_issuers')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('name')
      .execute();
    return this.#withValues(rows);
  }

  async find(organizationId: number, id: number): Promise<JwtIssuerRow | undefined> {
    const rows = await this.#database
      .selectFrom('jwt_issuers')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
    const [row] = await this.#withValues(rows);
    return row;
  }

  /** Of all organizations; disabled too if the organization may not use SSO. */
  async all(): Promise<JwtIssuerRow[]> {
    const rows = await this.#database
      .selectFrom('jwt_issuers')
      .innerJoin('organizations', 'organizations.id', 'jwt_issuers.organization_id')
      .selectAll('jwt_issuers')
      .select('organizations.sso_allowed')
      .orderBy('jwt_issuers.id')
      .execute();
    return this.#withValues(
      rows.map(({ sso_allowed, ...row }) => ({ ...row, is_enabled: sso_allowed === 1 ? row.is_enabled : 0 })),
    );
  }

  /** True if another organization has an issuer with this `iss`. */
  async isUsedByOthers(organizationId: number, issuer: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('jwt_issuers')
      .select('id')
      .where('issuer', '=', issuer)
      .where('organization_id', '<>', organizationId)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Ids of those tokens that belong to service accounts of the organization. */
  async serviceTokens(organizationId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#database
      .selectFrom('tokens')
      .select('id')
      .where('id', 'in', ids)
      .where('user_id', '=', organizationId)
      .where('service_account_id', '<>', 0)
      .execute();
    return new Set(rows.map(({ id }) => id));
  }

  /** Undefined when the name, or the issuer with this audience, is taken. */
  async insert(issuer: NewIssuer, values: readonly ClaimToken[]): Promise<number | undefined> {
    const row = await this.#database
      .insertInto('jwt_issuers')
      .values(issuer)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row) await this.#insertValues(row.id, values);
    return row?.id;
  }

  /** False when the name, or the issuer with this audience, is taken; the transaction must then be rolled back. */
  async update(id: number, change: IssuerChange, values: readonly ClaimToken[] | undefined): Promise<boolean> {
    try {
      if (Object.keys(change).length > 0)
        await this.#database.updateTable('jwt_issuers').set(change).where('id', '=', id).execute();
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    if (values) {
      await this.#database.deleteFrom('jwt_issuer_values').where('issuer_id', '=', id).execute();
      await this.#insertValues(id, values);
    }
    return true;
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('jwt_issuers').where('id', '=', id).execute();
  }

  async #insertValues(issuer_id: number, values: readonly ClaimToken[]): Promise<void> {
    if (values.length === 0) return;
    await this.#database
      .insertInto('jwt_issuer_values')
      .values(values.map((each, position) => ({ ...each, issuer_id, position })))
      .onConflict((conflict) => conflict.columns(['issuer_id', 'value']).doNothing())
      .execute();
  }

  async #withValues(rows: readonly Omit<JwtIssuerRow, 'values'>[]): Promise<JwtIssuerRow[]> {
    if (rows.length === 0) return [];
    const values = await this.#database
      .selectFrom('jwt_issuer_values')
      .select(['issuer_id', 'value', 'token_id'])
      .where(
        'issuer_id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('position')
      .execute();
    const byIssuer = Map.groupBy(values, ({ issuer_id }) => issuer_id);
    return rows.map((row) => ({
      ...row,
      values: (byIssuer.get(row.id) ?? []).map(({ value, token_id }) => ({ value, token_id })),
    }));
  }
}
