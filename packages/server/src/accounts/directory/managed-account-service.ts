import { logType, role, userStatus } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OrganizationRow } from '../organizations/membership-service.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { AccountService } from '../users/account-service.ts';
import { displayNameFrom, usernameCandidates } from '../users/username-candidates.ts';
import type { ManagedAccountRepository } from './managed-account-repository.ts';

interface ManagedAccountServiceDependencies {
  readonly managedAccounts: ManagedAccountRepository;
  readonly accounts: AccountService;
  readonly sessions: SessionService;
}

interface NewManagedAccount {
  /** Login name at the directory or provider. */
  readonly login: string;
  readonly names: readonly string[];
  /** Who creates the account, for the log. */
  readonly provider: string;
}

/** Accounts created by organizations: common users without a password, quota or email address. */
export class ManagedAccountService {
  readonly #dependencies: ManagedAccountServiceDependencies;

  constructor(dependencies: ManagedAccountServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async open(
    transaction: Transaction,
    organization: OrganizationRow,
    { login, names, provider }: NewManagedAccount,
  ): Promise<UserRow> {
    const local = login.split('@')[0] ?? '';
    for (const username of usernameCandidates(local, 'member_')) {
      const user = await this.#openNamed(transaction, username, { names, provider });
      if (!user) continue;
      await this.#dependencies.managedAccounts.within(transaction).insert(user.id, organization.id);
      return user;
    }
    throw new ApiError('usernameTaken');
  }

  isManagedBy(transaction: Transaction, userId: number, organizationId: number): Promise<boolean> {
    return this.#dependencies.managedAccounts.within(transaction).isManagedBy(userId, organizationId);
  }

  /** Organization that created the account. */
  managerOf(transaction: Transaction, userId: number): Promise<number | undefined> {
    return this.#dependencies.managedAccounts.within(transaction).managerOf(userId);
  }

  /** True if the account was enabled. */
  async disable(transaction: Transaction, user: UserRow): Promise<boolean> {
    if (user.status !== userStatus.enabled) return false;
    await this.#dependencies.accounts.setStatus(transaction, user, userStatus.disabled);
    return true;
  }

  async enable(transaction: Transaction, user: UserRow): Promise<void> {
    if (user.status === userStatus.disabled)
      await this.#dependencies.accounts.setStatus(transaction, user, userStatus.enabled);
  }

  async setDisplayName(transaction: Transaction, user: UserRow, names: readonly string[]): Promise<void> {
    const display_name = displayNameFrom(names, user.username);
    if (display_name === user.display_name) return;
    await this.#dependencies.accounts.setDisplayName(transaction, user, display_name);
  }

  /** Ends the sessions of a common user; sessions of gateway admins are not ended. */
  async endSessions(transaction: Transaction, user: UserRow): Promise<void> {
    if (user.role === role.common) await this.#dependencies.sessions.endOthers(transaction, user.id, undefined);
  }

  /** Deletes an account that belongs only to this organization. */
  async close(transaction: Transaction, user: UserRow, organizationId: number): Promise<void> {
    const rows = this.#dependencies.managedAccounts.within(transaction);
    if (await rows.hasOtherMemberships(user.id, organizationId)) return;
    await this.#dependencies.accounts.close(transaction, user);
    await rows.remove(user.id);
  }

  /** Undefined when the username is taken. */
  #openNamed(
    transaction: Transaction,
    username: string,
    { names, provider }: Omit<NewManagedAccount, 'login'>,
  ): Promise<UserRow | undefined> {
    const account = {
      username,
      display_name: displayNameFrom(names, username),
      password_hash: null,
      isRewarded: false,
    };
    return this.#dependencies.accounts
      .open(transaction, account, (user) => ({
        type: logType.system,
        event: 'user.registered_with',
        user,
        values: { user: user.username, provider },
      }))
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'usernameTaken') return undefined;
        throw error;
      });
  }
}
