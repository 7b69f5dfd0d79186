import { randomBytes } from 'node:crypto';
import { defaultGroup, isRoot, isUsername, logType, role, userStatus } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { EventRecord, LogService } from '../../records/logs/log-service.ts';
import type { TokenService } from '../api-tokens/token-service.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { ViewService } from '../views/view-service.ts';
import { type Identity, identityIssuer } from './identity-columns.ts';
import { inviteCodes } from './invite-code.ts';
import type { KnownIdentities } from './known-identities.ts';
import type { NewUser, UserRepository } from './user-repository.ts';

type Identities = Pick<NewUser, Identity | 'wechat_issuer' | 'oidc_issuer'>;

export interface NewAccount extends Identities {
  readonly username: string;
  readonly display_name: string;
  readonly password_hash: string | null;
  /** Invite code of the user who gets the reward. Unknown codes and codes of banned users are ignored. */
  readonly inviteCode?: string;
  /** False for accounts created by an organization, which get no welcome quota. */
  readonly isRewarded?: boolean;
}

interface Memberships {
  removeFromAll(transaction: Transaction, user: UserRow): Promise<void>;
}

interface AccountServiceDependencies {
  readonly userRepository: UserRepository;
  readonly knownIdentities: KnownIdentities;
  readonly sessions: SessionService;
  readonly tokens: TokenService;
  readonly views: ViewService;
  readonly memberships: Memberships;
  /** Links to the identity providers of organizations. */
  readonly ssoLinks: { unlinkUser(transaction: Transaction, userId: number): Promise<void> };
  /** Stored payloads of the user's requests. */
  readonly keepings: { removeAll(transaction: Transaction, userId: number): Promise<void> };
  readonly storedResponses: { removeAll(transaction: Transaction, userId: number): Promise<void> };
  readonly logs: LogService;
  readonly options: OptionService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

/** Creates and closes accounts in the same way for all callers. */
export class AccountService {
  readonly #dependencies: AccountServiceDependencies;

  constructor(dependencies: AccountServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates a common user with a default token, plus the welcome quota and rewards unless this address or provider
   * account was known before.
   */
  async open(
    transaction: Transaction,
    { inviteCode, isRewarded = true, ...account }: NewAccount,
    first: LogEntryBuilder,
  ): Promise<UserRow> {
    if (!isUsername(account.username)) throw new ApiError('usernameUnfit');
    const users = this.#dependencies.userRepository.within(transaction);
    const inviter = inviteCode ? await users.findEnabled('aff_code', inviteCode) : undefined;
    const user = await insert(users, { ...emptyAccount(), ...account, inviter_id: inviter?.id ?? 0 });
    await this.#dependencies.tokens.createDefault(transaction, user.id);
    const isNewcomer = await this.#dependencies.knownIdentities.remember(transaction, account);
    const records = isNewcomer && isRewarded ? await this.#reward(users, user, inviter) : [];
    // Logged last and in one call, because every transaction updates the same log total rows.
    await this.#dependencies.logs.record(transaction, first(user), ...records);
    if (inviter) transaction.changed(`user:${inviter.id}`);
    return { ...user, ...(await users.find(user.id)) };
  }

  /**
   * Keeps an anonymous row without sign-in methods for the logs that refer to it. Username, email and provider ids
   * become available again but earn no second welcome quota.
   */
  async close(transaction: Transaction, user: UserRow): Promise<void> {
    // First, because the last owner of an organization cannot leave it.
    await this.#dependencies.memberships.removeFromAll(transaction, user);
    await this.#dependencies.ssoLinks.unlinkUser(transaction, user.id);
    await this.#dependencies.knownIdentities.remember(transaction, user);
    await this.#dependencies.userRepository.within(transaction).updateUnlessTaken(user.id, {
      username: `deleted_${randomBytes(16).toString('hex')}`,
      status: userStatus.deleted,
      password_hash: null,
      access_token_hash: null,
      email: null,
      github_id: null,
      wechat_id: null,
      lark_id: null,
      oidc_id: null,
      wechat_issuer: '',
      oidc_issuer: '',
    });
    await this.#dependencies.sessions.endOthers(transaction, user.id, undefined);
    await this.#dependencies.tokens.removeAll(transaction, user.id);
    await this.#dependencies.views.removeAll(transaction, user.id);
    await this.#dependencies.keepings.removeAll(transaction, user.id);
    await this.#dependencies.storedResponses.removeAll(transaction, user.id);
    transaction.changed(`user:${user.id}`);
  }

  /** Used by organizations to close the accounts that they created. */
  async setStatus(transaction: Transaction, { id }: UserRow, status: number): Promise<void> {
    await this.#dependencies.userRepository.within(transaction).updateUnlessTaken(id, { status });
    transaction.changed(`user:${id}`);
  }

  async setDisplayName(transaction: Transaction, { id }: UserRow, display_name: string): Promise<void> {
    await this.#dependencies.userRepository.within(transaction).updateUnlessTaken(id, { display_name });
    transaction.changed(`user:${id}`);
  }

  /** Closes the caller's own account. Root cannot be closed. */
  closeOwn({ id }: UserRow): Promise<void> {
    return this.#dependencies.inTransaction(async (transaction) => {
      const user = await this.#dependencies.userRepository.within(transaction).findLocked('id', id);
      if (!user) throw new ApiError('unknownUser');
      if (isRoot(user)) throw new ApiError('deleteOwnRoot');
      await this.#dependencies.managed.rejectRow(transaction, 'user', id);
      await this.close(transaction, user);
      const values = { user: user.username };
      await this.#dependencies.logs.record(transaction, {
        type: logType.management,
        event: 'user.deleted_self',
        user,
        values,
      });
    });
  }

  async #reward(users: UserRepository, user: UserRow, inviter: UserRow | undefined): Promise<EventRecord[]> {
    const { QuotaForNewUser, QuotaForInvitee, QuotaForInviter } = this.#dependencies.options.values;
    const rewards: readonly Reward[] = [
      { event: 'user.gift', to: user, quota: QuotaForNewUser },
      { event: 'user.invited', to: inviter && user, quota: QuotaForInvitee },
      { event: 'user.inviter', to: inviter, quota: QuotaForInviter },
    ];
    const records: EventRecord[] = [];
    for (const { event, to, quota } of rewards) {
      if (!to || quota === 0 || !(await users.credit(to.id, quota))) continue;
      const values = { user: user.username, amount: this.#dependencies.logs.amount(quota) };
      records.push({ type: logType.system, event, user: to, values, quota });
    }
    return records;
  }
}

/** Builds the log entry for the new account. */
type LogEntryBuilder = (user: UserRow) => EventRecord;

interface Reward {
  readonly event: EventRecord['event'];
  readonly to: UserRow | undefined;
  readonly quota: number;
}

async function insert(users: UserRepository, account: Omit<NewUser, 'aff_code'>): Promise<UserRow> {
  for (const aff_code of inviteCodes()) {
    const row = await users.insertUnlessTaken({ ...account, aff_code });
    if (row) return row;
    await rejectTaken(users, account);
  }
  throw new Error('No free invite code was found.');
}

const unique = {
  username: 'usernameTaken',
  email: 'emailTaken',
  github_id: 'identityTaken',
  wechat_id: 'identityTaken',
  lark_id: 'identityTaken',
  oidc_id: 'identityTaken',
} as const;

async function rejectTaken(users: UserRepository, account: Omit<NewUser, 'aff_code'>): Promise<void> {
  for (const column of Object.keys(unique) as (keyof typeof unique)[]) {
    const value = account[column];
    if (value && (await users.isTaken(column, value, identityIssuer(account, column))))
      throw new ApiError(unique[column]);
  }
}

const emptyAccount = () => ({
  role: role.common,
  status: userStatus.enabled,
  quota: 0,
  credited: 0,
  used_quota: 0,
  request_count: 0,
  group: defaultGroup,
  created_time: nowInSeconds(),
});
