import { randomBytes } from 'node:crypto';
import {
  type AccessToken,
  type accessTokenApi,
  accessTokenPrefix,
  accessTokensPerUser,
  type Data,
  logType,
  neverExpires,
  type Parsed,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashSecret } from '../../platform/secrets/secret-box.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { AccessTokenRepository, AccessTokenRow } from './access-token-repository.ts';
import type { UserRepository } from './user-repository.ts';
import type { UserService } from './user-service.ts';

interface NamedAccessTokenServiceDependencies {
  readonly users: UserService;
  readonly userRepository: UserRepository;
  readonly accessTokens: AccessTokenRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

/** Lets users manage their access tokens, named and unnamed. */
export class NamedAccessTokenService {
  readonly #dependencies: NamedAccessTokenServiceDependencies;

  constructor(dependencies: NamedAccessTokenServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Creates the unnamed token, which replaces the previous one and is shown only once. */
  async createUnnamed(caller: UserRow): Promise<string> {
    const { userRepository, logs, inTransaction } = this.#dependencies;
    const token = randomBytes(32).toString('hex');
    await inTransaction(async (transaction) => {
      const user = await this.#lock(transaction, caller);
      await userRepository.within(transaction).updateUnlessTaken(user.id, { access_token_hash: hashSecret(token) });
      const values = { user: user.username };
      await logs.record(transaction, { type: logType.system, event: 'user.system_token_made', user, values });
    });
    return token;
  }

  async list({ id }: UserRow): Promise<AccessToken[]> {
    return this.#dependencies.accessTokens.ofUser(id);
  }

  async create(
    caller: UserRow,
    { name, scope, expired_time }: Parsed<typeof accessTokenApi.create>['body'],
  ): Promise<Data<typeof accessTokenApi.create>> {
    const { accessTokens, logs, inTransaction } = this.#dependencies;
    const { id: userId } = caller;
    const now = nowInSeconds();
    if (expired_time !== neverExpires && expired_time <= now) throw new ApiError('expiryInPast');
    const key = `${accessTokenPrefix}${randomBytes(32).toString('base64url')}`;
    const row = { user_id: userId, name, scope, key_hash: hashSecret(key), created_time: now, expired_time };
    const made = await inTransaction(async (transaction): Promise<AccessTokenRow> => {
      // Locked, so that two concurrent requests cannot both create the last allowed token.
      const user = await this.#lock(transaction, caller);
      const tokens = accessTokens.within(transaction);
      if ((await tokens.ofUser(userId)).length >= accessTokensPerUser) {
        throw new ApiError('tooManyAccessTokens', { limit: String(accessTokensPerUser) });
      }
      const stored = await tokens.insert(row);
      const values = { user: user.username, token: name };
      await logs.record(transaction, { type: logType.system, event: 'user.access_token_made', user, values });
      return stored;
    });
    return { ...made, key };
  }

  async revoke({ id: userId }: UserRow, id: number): Promise<void> {
    const { users, accessTokens, logs, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const user = await users.lock(transaction, userId);
      const name = await accessTokens.within(transaction).remove(userId, id);
      if (name === undefined) throw new ApiError('notFound');
      const values = { user: user.username, token: name };
      await logs.record(transaction, { type: logType.system, event: 'user.access_token_revoked', user, values });
    });
  }

  /**
   * The caller may have been locked out since; the lock ensures that revoking all tokens includes tokens being created.
   */
  async #lock(transaction: Transaction, caller: UserRow): Promise<UserRow> {
    const user = await this.#dependencies.users.lock(transaction, caller.id);
    const isLockedOut = user.status !== caller.status || user.password_hash !== caller.password_hash;
    if (isLockedOut) throw new ApiError('notSignedIn');
    return user;
  }
}
