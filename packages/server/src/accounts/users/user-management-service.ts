import { isRoot, logType, type ManageAction, type Parsed, role, type userApi, userStatus } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError, type ApiErrorCode } from '../../platform/errors/api-error.ts';
import { rejectStaleQuota } from '../../platform/errors/quota-change.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { type LogService, userEvent } from '../../records/logs/log-service.ts';
import type { TokenService } from '../api-tokens/token-service.ts';
import type { PolicyService } from '../policy/policy-service.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { AccountService } from './account-service.ts';
import { requireHigherRole, requireManageable } from './user-authority.ts';
import { changeLogEntries, diffUser } from './user-change.ts';
import type { UserRepository } from './user-repository.ts';
import { requireValidUsername, type UserService } from './user-service.ts';

type Body<Name extends 'create' | 'update' | 'topUp'> = Parsed<(typeof userApi)[Name]>['body'];

type NewUser = Omit<Body<'create'>, 'password'> & { readonly password: string | undefined };

interface Directories {
  /** Directories may no longer enable this account. */
  keepDisabled(transaction: Transaction, userId: number): Promise<void>;
}

interface UserManagementServiceDependencies {
  readonly userRepository: UserRepository;
  readonly users: UserService;
  readonly accounts: AccountService;
  readonly sessions: SessionService;
  readonly tokens: TokenService;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
  readonly policies: PolicyService;
  readonly directories: Directories;
}

/** Lets admins manage other accounts. */
export class UserManagementService {
  readonly #dependencies: UserManagementServiceDependencies;
  #onPromoted: (admin: UserRow, user: UserRow) => void = () => undefined;

  constructor(dependencies: UserManagementServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Registers a listener for promotions to admin. */
  listen(onPromoted: (admin: UserRow, user: UserRow) => void): void {
    this.#onPromoted = onPromoted;
  }

  async get(actor: UserRow, id: number): Promise<UserRow> {
    const target = found(await this.#dependencies.userRepository.find(id));
    requireHigherRole(actor, target, 'readEqualOrHigher');
    return target;
  }

  /** Without a password, password login is impossible until one is set. */
  async create(actor: UserRow, { username, display_name, password, policy }: NewUser): Promise<void> {
    const account = {
      username,
      display_name: display_name || username,
      password_hash: password === undefined ? null : await this.#dependencies.users.newPasswordHash(password),
    };
    const { accounts, policies, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const user = await accounts.open(transaction, account, (opened) => userEvent(actor, opened, 'user.created'));
      await policies.save(transaction, actor, { kind: 'user', id: user.id }, policy);
    });
  }

  /** A new password ends the target's sessions and tokens, except for the session in which root changes its own. */
  async update(actor: UserRow, update: Body<'update'>, currentSession: string | undefined): Promise<void> {
    const { userRepository, users, sessions, logs, policies, inTransaction } = this.#dependencies;
    const password = update.password === undefined ? undefined : await users.passwordColumns(update.password);
    await inTransaction(async (transaction) => {
      const target = await this.#locked(transaction, actor, update.id, 'editEqualOrHigher');
      rejectStaleQuota(target.quota, { wanted: update.quota, was: update.quota_was });
      const change = diffUser(target, update);
      const records = changeLogEntries(actor, target, change, logs);
      await policies.save(transaction, actor, { kind: 'user', id: target.id }, update.policy);
      if (records.length === 0) return;
      await this.#rejectManaged(transaction, target.id, change.columns);
      requireValidUsername(change.columns.username);
      const columns = { ...change.columns, ...password };
      const isFree = await userRepository.within(transaction).updateUnlessTaken(target.id, columns);
      if (!isFree) throw new ApiError('usernameTaken');
      if (change.quota !== undefined) await users.credit(transaction, target.id, change.quota - target.quota);
      if (password && actor.id === target.id) await sessions.endOthers(transaction, target.id, currentSession);
      else if (password) await this.#lockOut(transaction, target.id);
      await logs.record(transaction, ...records);
      transaction.changed(`user:${target.id}`);
    });
  }

  /** Quota and password are never managed by the configuration file. */
  async #rejectManaged(transaction: Transaction, id: number, columns: object): Promise<void> {
    if (Object.keys(columns).length > 0) await this.#dependencies.managed.rejectRow(transaction, 'user', id);
  }

  /** Ends all sessions and access of the account. */
  async #lockOut(transaction: Transaction, userId: number): Promise<void> {
    await this.#dependencies.sessions.endOthers(transaction, userId, undefined);
    await this.#dependencies.tokens.disableAll(transaction, userId);
  }

  async manage(actor: UserRow, username: string, action: ManageAction): Promise<{ role: number; status: number }> {
    const { userRepository, accounts, sessions, logs, inTransaction } = this.#dependencies;
    const { after, promoted } = await inTransaction(async (transaction) => {
      const users = userRepository.within(transaction);
      const target = found(await users.findLocked('username', username));
      requireManageable(actor, target, action);
      await this.#dependencies.managed.rejectRow(transaction, 'user', target.id);
      const after = { role: target.role, status: target.status, ...effects[action] };
      if (action === 'disable') await this.#dependencies.directories.keepDisabled(transaction, target.id);
      if (after.role === target.role && after.status === target.status) return { after };
      if (action === 'delete') await accounts.close(transaction, target);
      else await users.updateUnlessTaken(target.id, effects[action]);
      if (action === 'disable') await sessions.endOthers(transaction, target.id, undefined);
      await logs.record(transaction, userEvent(actor, target, `user.${action}`));
      transaction.changed(`user:${target.id}`);
      return { after, ...(action === 'promote' && { promoted: target }) };
    });
    if (promoted) this.#onPromoted(actor, promoted);
    return after;
  }

  remove(actor: UserRow, id: number): Promise<void> {
    const { accounts, logs, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const target = await this.#locked(transaction, actor, id, 'deleteEqualOrHigher');
      if (isRoot(target)) throw new ApiError('deleteRoot');
      await this.#dependencies.managed.rejectRow(transaction, 'user', id);
      await accounts.close(transaction, target);
      await logs.record(transaction, userEvent(actor, target, 'user.delete'));
    });
  }

  topUp(actor: UserRow, { user_id, quota, remark }: Body<'topUp'>): Promise<void> {
    const { users, logs, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const target = await this.#locked(transaction, actor, user_id, 'editEqualOrHigher');
      await users.credit(transaction, target.id, quota);
      await logs.record(transaction, {
        type: logType.topUp,
        event: remark === '' ? 'user.topped_up' : 'user.topped_up_with_remark',
        user: target,
        values: { admin: actor.username, amount: logs.amount(quota), remark },
        quota,
      });
    });
  }

  async #locked(transaction: Transaction, actor: UserRow, id: number, rejection: ApiErrorCode): Promise<UserRow> {
    const target = found(await this.#dependencies.userRepository.within(transaction).findLocked('id', id));
    requireHigherRole(actor, target, rejection);
    return target;
  }
}

const effects: Readonly<Record<ManageAction, Partial<Pick<UserRow, 'role' | 'status'>>>> = {
  enable: { status: userStatus.enabled },
  disable: { status: userStatus.disabled },
  delete: { status: userStatus.deleted },
  promote: { role: role.admin },
  demote: { role: role.common },
};

function found(user: UserRow | undefined): UserRow {
  if (!user) throw new ApiError('unknownUser');
  return user;
}
