import { tokenStatus } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { ownershipColumns, type TokenOwnership } from '../api-tokens/token-ownership.ts';

/** The account that pays for a token, and the token's place in an organization. */
export interface TokenPayer extends TokenOwnership {
  readonly user_id: number;
}

/** Changes API tokens together with members and projects of organizations. */
export class OrganizationTokenRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): OrganizationTokenRepository {
    return new OrganizationTokenRepository(transaction.database);
  }

  /** Payer of a token that a user owns or uses in an organization. */
  payerOf(id: number, userId: number): Promise<TokenPayer | undefined> {
    return this.#database
      .selectFrom('tokens')
      .select(['user_id', ...ownershipColumns])
      .where('id', '=', id)
      .where((where) => where.or([where('user_id', '=', userId), where('creator_id', '=', userId)]))
      .executeTakeFirst();
  }

  async setPayer(id: number, payer: TokenPayer): Promise<void> {
    await this.#database.updateTable('tokens').set(payer).where('id', '=', id).execute();
  }

  async idsOfMember(organizationId: number, userId: number): Promise<number[]> {
    const tokens = this.#database.selectFrom('tokens').select('id').where('user_id', '=', organizationId);
    return (await tokens.where('creator_id', '=', userId).execute()).map(({ id }) => id);
  }

  async idsOfProject(projectId: number): Promise<number[]> {
    const rows = await this.#database.selectFrom('tokens').select('id').where('project_id', '=', projectId).execute();
    return rows.map(({ id }) => id);
  }

  /** Disables a member's tokens or transfers them to a service account. Returns their ids. */
  async endMembership(organizationId: number, userId: number, heir: number): Promise<number[]> {
    const rows = await this.#database
      .updateTable('tokens')
      .set(heir === 0 ? { status: tokenStatus.disabled } : { creator_id: 0, service_account_id: heir })
      .where('user_id', '=', organizationId)
      .where('creator_id', '=', userId)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }
}
