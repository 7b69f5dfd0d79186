import type { ExpressionBuilder, Insertable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

type NewDomain = Pick<Insertable<Schema['sso_domains']>, 'organization_id' | 'domain' | 'token' | 'created_time'>;

/** Larger than the difference between the clocks of nodes, in seconds. */
const clockTolerance = 3600;

/** Domains of organizations. A verified domain belongs to one organization. */
export class SsoDomainRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): SsoDomainRepository {
    return new SsoDomainRepository(transaction.database);
  }

  /** By name. */
  of(organizationId: number) {
    return this.#of(organizationId).orderBy('domain').execute();
  }

  find(organizationId: number, id: number) {
    return this.#of(organizationId).where('id', '=', id).executeTakeFirst();
  }

  /** Undefined if the organization already has the domain. */
  async insert(domain: NewDomain): Promise<number | undefined> {
    const row = await this.#database
      .insertInto('sso_domains')
      .values(domain)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return row?.id;
  }

  async isVerified(domain: string): Promise<boolean> {
    return (await this.#verified(domain).executeTakeFirst()) !== undefined;
  }

  async isVerifiedBy(organizationId: number, domain: string): Promise<boolean> {
    const row = await this.#verified(domain).where('organization_id', '=', organizationId).executeTakeFirst();
    return row !== undefined;
  }

  async markVerified(id: number, method: 'dns' | 'admin', time: number): Promise<void> {
    const change = { verified_time: time, method, checked_time: time, missing_since: 0 };
    await this.#database.updateTable('sso_domains').set(change).where('id', '=', id).execute();
  }

  /**
   * Takes a domain whose DNS record was last checked before `before`, so no other node checks it. Later times than now
   * were stored before the clock was set back.
   */
  async takeDue(before: number, now: number) {
    const isDue = ({ eb, or }: ExpressionBuilder<Schema, 'sso_domains'>) =>
      or([eb('checked_time', '<', before), eb('checked_time', '>', now + clockTolerance)]);
    const due = this.#database
      .selectFrom('sso_domains')
      .select('id')
      .where('verified_time', '>', 0)
      .where('method', '=', 'dns')
      .where(isDue)
      .orderBy('checked_time')
      .limit(1);
    return this.#database
      .updateTable('sso_domains')
      .set({ checked_time: now })
      .where('id', '=', due)
      .where(isDue)
      .returningAll()
      .executeTakeFirst();
  }

  async setMissingSince(id: number, missing_since: number): Promise<void> {
    await this.#database.updateTable('sso_domains').set({ missing_since }).where('id', '=', id).execute();
  }

  async endVerification(id: number): Promise<void> {
    await this.#database.updateTable('sso_domains').set({ verified_time: 0 }).where('id', '=', id).execute();
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('sso_domains').where('id', '=', id).execute();
  }

  #of(organizationId: number) {
    return this.#database.selectFrom('sso_domains').selectAll().where('organization_id', '=', organizationId);
  }

  #verified(domain: string) {
    return this.#database
      .selectFrom('sso_domains')
      .select('id')
      .where('domain', '=', domain)
      .where('verified_time', '>', 0);
  }
}

export type DomainRow = NonNullable<Awaited<ReturnType<SsoDomainRepository['find']>>>;
