import type { Insertable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** Recipient of invitations: the user id, and the verified email address if there is one. */
export interface Recipient {
  readonly id: number;
  readonly email: string | null;
}

type Ending = 'accepted' | 'declined' | 'withdrawn';

/** Invitations to organizations with the names of organization and inviter. */
export class OrganizationInvitationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): OrganizationInvitationRepository {
    return new OrganizationInvitationRepository(transaction.database);
  }

  /** Newest first. */
  of(organizationId: number, limit: number) {
    return this.#all()
      .where('organizations.id', '=', organizationId)
      .orderBy('organization_invitations.id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Pending invitations addressed to a user by id or email. */
  addressedTo({ id, email }: Recipient, now: number) {
    return this.#all()
      .where('state', '=', 'pending')
      .where('expires_time', '>', now)
      .where((where) =>
        where.or([
          where('organization_invitations.user_id', '=', id),
          ...(email === null ? [] : [where('organization_invitations.email', '=', email)]),
        ]),
      )
      .orderBy('organization_invitations.id', 'desc')
      .execute();
  }

  find(id: number) {
    return this.#all().where('organization_invitations.id', '=', id).executeTakeFirst();
  }

  findByToken(tokenHash: string) {
    return this.#all().where('token_hash', '=', tokenHash).executeTakeFirst();
  }

  async countPending(organizationId: number, now: number): Promise<number> {
    const { count } = await this.#database
      .selectFrom('organization_invitations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organization_id', '=', organizationId)
      .where('state', '=', 'pending')
      .where('expires_time', '>', now)
      .executeTakeFirstOrThrow();
    return count;
  }

  async insert(invitation: Omit<Insertable<Schema['organization_invitations']>, 'id'>): Promise<number> {
    const { id } = await this.#database
      .insertInto('organization_invitations')
      .values(invitation)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Replaces the link; the previous one stops working. */
  async renew(
    id: number,
    change: { readonly token_hash: string; readonly expires_time: number; readonly inviter_id: number },
  ): Promise<void> {
    await this.#database.updateTable('organization_invitations').set(change).where('id', '=', id).execute();
  }

  /** False when the invitation is no longer pending. */
  async end(id: number, state: Ending): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('organization_invitations')
      .set({ state })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** Withdraws ownership offers to a user. */
  async withdrawOffers(organizationId: number, userId: number): Promise<void> {
    await this.#database
      .updateTable('organization_invitations')
      .set({ state: 'withdrawn' })
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .where('state', '=', 'pending')
      .execute();
  }

  #all() {
    return this.#database
      .selectFrom('organization_invitations')
      .innerJoin('organizations', 'organizations.id', 'organization_invitations.organization_id')
      .leftJoin('users as inviters', 'inviters.id', 'organization_invitations.inviter_id')
      .leftJoin('organization_members as inviting', (join) =>
        join
          .onRef('inviting.organization_id', '=', 'organization_invitations.organization_id')
          .onRef('inviting.user_id', '=', 'organization_invitations.inviter_id'),
      )
      .select([
        'organization_invitations.id',
        'organizations.id as organization_id',
        'organizations.name as organization',
      ])
      .select(['organization_invitations.email', 'organization_invitations.user_id', 'organization_invitations.role'])
      .select(['organization_invitations.inviter_id', 'inviters.username as inviter', 'state', 'expires_time'])
      .select(['organization_invitations.created_time', 'inviters.status as inviter_status'])
      .select(['inviters.role as inviter_role', 'inviting.role as inviter_member_role']);
  }
}

export type InvitationRow = NonNullable<Awaited<ReturnType<OrganizationInvitationRepository['find']>>>;
