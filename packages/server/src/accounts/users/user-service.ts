import {
  defaultGroup,
  isUsername,
  type Parsed,
  passwordLength,
  role,
  splitCommas,
  type userApi,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { type ManagedGuard, noManagedGuard } from '../../platform/managed/managed-guard.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { type Identity, identityColumns, type ReportedIdentity } from './identity-columns.ts';
import { inviteCodes } from './invite-code.ts';
import { hashPassword, isImportedHash, recommendedMemoryKib } from './password.ts';
import { allowsProviderSignIn } from './sign-in-methods.ts';
import type { UserRepository } from './user-repository.ts';

interface UserServiceOptions {
  readonly managed?: ManagedGuard;
  readonly passwordKib?: number | undefined;
  /** Current value of the option PasswordMaxLength. */
  readonly passwordMaxLength?: () => number;
}

/** Self-service for users, and user lookups for other services. */
export class UserService {
  readonly #users: UserRepository;
  readonly #sessions: SessionService;
  readonly #inTransaction: InTransaction;
  readonly #managed: ManagedGuard;
  /** Memory cost of new password hashes. */
  readonly passwordKib: number;
  readonly #passwordMaxLength: () => number;

  constructor(
    users: UserRepository,
    sessions: SessionService,
    inTransaction: InTransaction,
    {
      managed = noManagedGuard,
      passwordKib = recommendedMemoryKib,
      passwordMaxLength = () => passwordLength.max,
    }: UserServiceOptions = {},
  ) {
    this.#passwordMaxLength = passwordMaxLength;
    this.passwordKib = passwordKib;
    this.#managed = managed;
    this.#users = users;
    this.#sessions = sessions;
    this.#inTransaction = inTransaction;
  }

  find(id: number): Promise<UserRow | undefined> {
    return this.#users.find(id);
  }

  findByLogin(usernameOrEmail: string): Promise<UserRow | undefined> {
    return this.#users.findByLogin(usernameOrEmail);
  }

  named(username: string): Promise<UserRow | undefined> {
    return this.#users.findByUsername(username);
  }

  all(): Promise<UserRow[]> {
    return this.#users.all();
  }

  async exists(username: string): Promise<boolean> {
    return (await this.named(username)) !== undefined;
  }

  /** A new password ends the user's other sessions and access tokens. */
  async updateProfile(
    user: UserRow,
    { username, display_name, password }: Parsed<typeof userApi.updateSelf>['body'],
    currentSession: string | undefined,
  ): Promise<void> {
    const change = {
      ...(username !== undefined && username !== user.username && { username }),
      ...(display_name !== undefined && { display_name }),
      ...(password !== undefined && (await this.passwordColumns(password))),
    };
    requireValidUsername(change.username);
    await this.#inTransaction(async (transaction) => {
      const isRenamed =
        change.username !== undefined || (display_name !== undefined && display_name !== user.display_name);
      if (isRenamed) await this.#managed.rejectRow(transaction, 'user', user.id);
      // Relies on the unique key for taken names, because a check beforehand would race.
      const done = await this.#users.within(transaction).updateUnlessTaken(user.id, change);
      if (!done) throw new ApiError('usernameTaken');
      if (password !== undefined) await this.#sessions.endOthers(transaction, user.id, currentSession);
      transaction.changed(`user:${user.id}`);
    });
  }

  /** Resets a password from the command line: needs no old password and ends all sessions of the user. */
  async resetPassword(username: string, password: string): Promise<void> {
    const user = await this.#users.findByUsername(username);
    if (!user) return;
    // The operator may have lost the phone too, and an intruder may have allowed other sign-in methods.
    const change = {
      ...(await this.passwordColumns(password)),
      second_factor: 0,
      sign_in_elsewhere: 0,
    };
    await this.#inTransaction(async (transaction) => {
      await this.#users.within(transaction).updateUnlessTaken(user.id, change);
      await this.#sessions.endOthers(transaction, user.id, undefined);
    });
  }

  /** Columns for a new password; also revokes the unnamed access token. */
  async passwordColumns(password: string) {
    return { password_hash: await this.newPasswordHash(password), access_token_hash: null };
  }

  /** Rejects a password that is longer than the option allows. */
  newPasswordHash(password: string): Promise<string> {
    const max = this.#passwordMaxLength();
    if (password.length > max) throw new ApiError('passwordTooLong', { max: String(max) });
    return hashPassword(password, this.passwordKib);
  }

  /** Rehashes a password that was imported with another gateway's hash, after a successful login. */
  async rehashImportedPassword({ id, password_hash }: UserRow, password: string): Promise<void> {
    if (!isImportedHash(password_hash)) return;
    await this.#users.replaceHash(id, password_hash, await hashPassword(password, this.passwordKib));
  }

  /** The enabled user with this address. Addresses are stored in lower case. */
  async findByEmail(email: string): Promise<UserRow | undefined> {
    const user = await this.#users.findEnabled('email', email);
    return user && allowsProviderSignIn(user) ? user : undefined;
  }

  /** In a transaction, the user with this address, for any role and also when banned; locks the user. */
  async findByEmailLocked(transaction: Transaction, email: string): Promise<UserRow | undefined> {
    const user = await this.#users.within(transaction).findByEmail(email);
    return user && this.findLocked(transaction, user.id);
  }

  /** Recipients of gateway notifications: root, or the admins if root has no address. */
  async ownersEmails(): Promise<string[]> {
    const owners = await this.#users.emailsOf(role.root);
    return owners.length > 0 ? owners : this.#users.emailsOf(role.admin);
  }

  /** The user with this provider account, including disabled ones. */
  findByIdentity(claim: ReportedIdentity): Promise<UserRow | undefined> {
    return this.#users.findByIdentity(claim);
  }

  /** Finds a user and locks it until the transaction ends; undefined if it was deleted. */
  findLocked(transaction: Transaction, id: number): Promise<UserRow | undefined> {
    return this.#users.within(transaction).findLocked('id', id);
  }

  /** Locks the user until the transaction ends. */
  async lock(transaction: Transaction, id: number): Promise<UserRow> {
    const user = await this.findLocked(transaction, id);
    if (!user) throw new ApiError('unknownUser');
    return user;
  }

  /** False when the identity belongs to another user; the transaction must then be rolled back. */
  async setIdentity(
    transaction: Transaction,
    { id }: UserRow,
    { identity, value, issuer }: ReportedIdentity,
  ): Promise<boolean> {
    const change = identityColumns(identity, value, issuer);
    const done = await this.#users.within(transaction).updateUnlessTaken(id, change);
    transaction.changed(`user:${id}`);
    return done;
  }

  async clearIdentity(transaction: Transaction, { id }: UserRow, identity: Identity): Promise<void> {
    await this.#users.within(transaction).updateUnlessTaken(id, identityColumns(identity, null, ''));
    transaction.changed(`user:${id}`);
  }

  async setSecondFactor(transaction: Transaction, { id }: UserRow, isOn: boolean): Promise<void> {
    await this.#users.within(transaction).updateUnlessTaken(id, { second_factor: isOn ? 1 : 0 });
    transaction.changed(`user:${id}`);
  }

  async setProviderSignIn(transaction: Transaction, { id }: UserRow, isAllowed: boolean): Promise<void> {
    await this.#users.within(transaction).updateUnlessTaken(id, { sign_in_elsewhere: isAllowed ? 1 : 0 });
    transaction.changed(`user:${id}`);
  }

  isEmailTaken(email: string): Promise<boolean> {
    return this.#users.isTaken('email', email);
  }

  /** Called after the address was verified. Ends all sessions. Undefined if no account has the address. */
  async replacePassword(
    transaction: Transaction,
    email: string,
    change: Awaited<ReturnType<UserService['passwordColumns']>>,
  ): Promise<UserRow | undefined> {
    const users = this.#users.within(transaction);
    const user = await users.findEnabled('email', email);
    if (!user || !allowsProviderSignIn(user)) return undefined;
    await users.updateUnlessTaken(user.id, change);
    await this.#sessions.endOthers(transaction, user.id, undefined);
    transaction.changed(`user:${user.id}`);
    return user;
  }

  /** Created on first use, then stable. */
  async inviteCode(user: UserRow): Promise<string> {
    if (user.aff_code !== null) return user.aff_code;
    for (const code of inviteCodes()) {
      if (await this.#users.setInviteCode(user.id, code)) break;
    }
    const code = (await this.#users.find(user.id))?.aff_code;
    if (!code) throw new ApiError('unknownUser');
    return code;
  }

  /** Takes quota out of a balance that covers it. */
  async withdraw(transaction: Transaction, userId: number, amount: number): Promise<void> {
    if (!(await this.#users.within(transaction).withdraw(userId, amount))) throw new ApiError('balanceTooLow');
    transaction.changed(`user:${userId}`);
  }

  /** Credits quota; throws when the total would overflow. */
  async credit(transaction: Transaction, userId: number, amount: number): Promise<void> {
    if (!(await this.#users.within(transaction).credit(userId, amount))) throw new ApiError('quotaTooLarge');
    transaction.changed(`user:${userId}`);
  }
}

/** Rejects a new name with forbidden characters. Existing accounts keep their names. */
export function requireValidUsername(username: string | undefined): void {
  if (username !== undefined && !isUsername(username)) throw new ApiError('usernameUnfit');
}

/** Groups whose channels serve the user, in order of preference. */
export function groupsOf({ group }: Pick<UserRow, 'group'>): string[] {
  const groups = splitCommas(group);
  return groups.length > 0 ? groups : [defaultGroup];
}
