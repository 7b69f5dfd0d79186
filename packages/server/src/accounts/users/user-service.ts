import { defaultGroup, isUsername, type Parsed, role, splitCommas, type userApi } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/errors/refusal.ts';
import { type ManagedGuard, noGuard } from '../../platform/managed/managed-guard.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { type Identity, type IdentityClaim, identityColumns } from './identity-columns.ts';
import { inviteCodes } from './invite-code.ts';
import { hashPassword, isOldHash, recommendedKib } from './password.ts';
import type { UserRepository } from './user-repository.ts';
import { signsInElsewhere } from './ways-in.ts';

interface UserServiceOptions {
  readonly managed?: ManagedGuard;
  readonly passwordKib?: number | undefined;
}

/** What users do with their own accounts, and what other resources ask of a user. */
export class UserService {
  readonly #users: UserRepository;
  readonly #sessions: SessionService;
  readonly #inTransaction: InTransaction;
  readonly #managed: ManagedGuard;
  /** Memory cost of new password hashes. */
  readonly passwordKib: number;

  constructor(
    users: UserRepository,
    sessions: SessionService,
    inTransaction: InTransaction,
    { managed = noGuard, passwordKib = recommendedKib }: UserServiceOptions = {},
  ) {
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

  everybody(): Promise<UserRow[]> {
    return this.#users.everybody();
  }

  async exists(username: string): Promise<boolean> {
    return (await this.named(username)) !== undefined;
  }

  /** A new password ends every other session of the user and the access token. */
  async updateProfile(
    user: UserRow,
    { username, display_name, password }: Parsed<typeof userApi.updateSelf>['body'],
    currentSession: string | undefined,
  ): Promise<void> {
    const change = {
      ...(username !== undefined && username !== user.username && { username }),
      ...(display_name !== undefined && { display_name }),
      ...(password !== undefined && (await newPassword(password, this.passwordKib))),
    };
    requireFitName(change.username);
    await this.#inTransaction(async (transaction) => {
      const isRenamed =
        change.username !== undefined || (display_name !== undefined && display_name !== user.display_name);
      if (isRenamed) await this.#managed.refuseRow(transaction, 'user', user.id);
      // The table itself says whether the name is taken: asking first would let two through at once.
      const done = await this.#users.within(transaction).updateUnlessTaken(user.id, change);
      if (!done) throw new Refusal('usernameTaken');
      if (password !== undefined) await this.#sessions.endOthers(transaction, user.id, currentSession);
      transaction.changed(`user:${user.id}`);
    });
  }

  /** Asks for no old password and ends every session of the user: for the person who owns the machine. */
  async resetPassword(username: string, password: string): Promise<void> {
    const user = await this.#users.findByUsername(username);
    if (!user) return;
    // Whoever owns the machine may have lost the phone too; who held the account before may have opened it to others.
    const change = { ...(await newPassword(password, this.passwordKib)), second_factor: 0, sign_in_elsewhere: 0 };
    await this.#inTransaction(async (transaction) => {
      await this.#users.within(transaction).updateUnlessTaken(user.id, change);
      await this.#sessions.endOthers(transaction, user.id, undefined);
    });
  }

  /** The password was right: what another gateway hashed is hashed as passwords are here. */
  async renewOldHash({ id, password_hash }: UserRow, password: string): Promise<void> {
    if (!isOldHash(password_hash)) return;
    await this.#users.replaceHash(id, password_hash, await hashPassword(password, this.passwordKib));
  }

  /** The user whose account this address opens, if it opens one. Addresses are stored in lower case. */
  async findByEmail(email: string): Promise<UserRow | undefined> {
    const user = await this.#users.findEnabled('email', email);
    return user && signsInElsewhere(user) ? user : undefined;
  }

  /** Who hears of what happens to the gateway: its owner, or the admins while the owner has no address. */
  async ownersEmails(): Promise<string[]> {
    const owners = await this.#users.emailsOf(role.root);
    return owners.length > 0 ? owners : this.#users.emailsOf(role.admin);
  }

  /** The user with this account at a provider, also one who may not sign in. */
  findByIdentity(claim: IdentityClaim): Promise<UserRow | undefined> {
    return this.#users.findByIdentity(claim);
  }

  /** The user as it is until the transaction ends. */
  async lock(transaction: Transaction, id: number): Promise<UserRow> {
    const user = await this.#users.within(transaction).findLocked('id', id);
    if (!user) throw new Refusal('unknownUser');
    return user;
  }

  /** False when it is somebody else's; the transaction must then end. */
  async setIdentity(
    transaction: Transaction,
    { id }: UserRow,
    { identity, value, issuer }: IdentityClaim,
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

  async setSignInElsewhere(transaction: Transaction, { id }: UserRow, isAllowed: boolean): Promise<void> {
    await this.#users.within(transaction).updateUnlessTaken(id, { sign_in_elsewhere: isAllowed ? 1 : 0 });
    transaction.changed(`user:${id}`);
  }

  isEmailTaken(email: string): Promise<boolean> {
    return this.#users.isTaken('email', email);
  }

  /** For whoever proved to own the address; ends every session. Undefined when it opens no account. */
  async replacePassword(
    transaction: Transaction,
    email: string,
    change: Awaited<ReturnType<typeof newPassword>>,
  ): Promise<UserRow | undefined> {
    const users = this.#users.within(transaction);
    const user = await users.findEnabled('email', email);
    if (!user || !signsInElsewhere(user)) return undefined;
    await users.updateUnlessTaken(user.id, change);
    await this.#sessions.endOthers(transaction, user.id, undefined);
    transaction.changed(`user:${user.id}`);
    return user;
  }

  /** The code that others register with; made on first use, and then always the same. */
  async inviteCode(user: UserRow): Promise<string> {
    if (user.aff_code !== null) return user.aff_code;
    for (const code of inviteCodes()) {
      if (await this.#users.giveInviteCode(user.id, code)) break;
    }
    const code = (await this.#users.find(user.id))?.aff_code;
    if (!code) throw new Refusal('unknownUser');
    return code;
  }

  /** Gives quota to a user, or refuses when it would be more than can be counted. */
  async credit(transaction: Transaction, userId: number, amount: number): Promise<void> {
    if (!(await this.#users.within(transaction).credit(userId, amount))) throw new Refusal('quotaTooLarge');
    transaction.changed(`user:${userId}`);
  }
}

/** Refuses a new name that no account may have. An account keeps the one it has, whatever is in it. */
export function requireFitName(username: string | undefined): void {
  if (username !== undefined && !isUsername(username)) throw new Refusal('usernameUnfit');
}

/** What a new password changes: whoever held the account before keeps no way in. */
export const newPassword = async (password: string, memoryKib: number) => ({
  password_hash: await hashPassword(password, memoryKib),
  access_token_hash: null,
});

/** The groups whose channels serve a user, in order. */
export function groupsOf({ group }: Pick<UserRow, 'group'>): string[] {
  const groups = splitCommas(group);
  return groups.length > 0 ? groups : [defaultGroup];
}
