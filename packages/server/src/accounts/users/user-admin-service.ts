import {
  type Budget,
  type OwnLimit,
  type Parsed,
  splitCommas,
  type Token,
  type userSupportApi,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { type LogService, userEvent } from '../../records/logs/log-service.ts';
import type { TokenService } from '../api-tokens/token-service.ts';
import type { PolicyService } from '../policy/policy-service.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { requireHigherRole } from './user-authority.ts';
import type { UserRepository } from './user-repository.ts';
import { groupsOf } from './user-service.ts';

type NewToken = Parsed<typeof userSupportApi.createToken>['body'];
type Disabling = Parsed<typeof userSupportApi.disableTokens>['body'];
type Enabling = Parsed<typeof userSupportApi.enableTokens>['body'];

interface Channels {
  availableModels(groups: readonly string[]): Promise<string[]>;
}

interface Limits {
  own(user: UserRow): Promise<OwnLimit[]>;
}

interface Budgets {
  applyingTo(userId: number, groups: readonly string[]): Promise<Budget[]>;
}

interface UserSupportDependencies {
  readonly userRepository: UserRepository;
  readonly tokens: TokenService;
  readonly policies: PolicyService;
  readonly sessions: SessionService;
  readonly channels: Channels;
  readonly limitRules: Limits;
  readonly budgets: Budgets;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

interface Binding {
  readonly token: number;
  readonly channels: string;
  readonly tags: string;
}

/** Lets admins view and manage a user with a lower role: tokens without keys, sessions, models. */
export class UserAdminService {
  readonly #dependencies: UserSupportDependencies;

  constructor(dependencies: UserSupportDependencies) {
    this.#dependencies = dependencies;
  }

  /** Allowed for one's own account, because no other endpoint shows token bindings. */
  async tokens(actor: UserRow, id: number) {
    if (actor.id !== id) await this.#target(actor, id);
    return this.#dependencies.tokens.withoutKeys(id);
  }

  /** Returns the token with its key. */
  createToken(actor: UserRow, id: number, { policy, ...creation }: NewToken): Promise<Token> {
    const { tokens, policies, logs, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const target = await this.#target(actor, id, transaction);
      const token = await tokens.createWithin(transaction, target, creation);
      await policies.save(transaction, actor, { kind: 'token', id: token.id }, policy);
      await logs.record(transaction, userEvent(actor, target, 'user.token_created', { token: token.name }));
      return token;
    });
  }

  /**
   * The user cannot enable the tokens again. Without ids, all tokens are disabled, and the user can neither create nor
   * enable a token.
   */
  disableTokens(actor: UserRow, id: number, { ids, reason }: Disabling): Promise<number> {
    const { tokens, logs, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const target = await this.#target(actor, id, transaction);
      // First, so that tokens being created are disabled too.
      if (ids === undefined) await tokens.lockOwner(transaction, id, true);
      const count = await tokens.disableAll(transaction, id, { ids, reason });
      if (count > 0) await logs.record(transaction, userEvent(actor, target, 'user.tokens_off_count', { count }));
      else if (ids === undefined) await logs.record(transaction, userEvent(actor, target, 'user.tokens_off'));
      return count;
    });
  }

  enableTokens(actor: UserRow, id: number, { ids = [], unlock }: Enabling): Promise<number> {
    const { tokens, logs, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const target = await this.#target(actor, id, transaction);
      if (unlock) {
        await tokens.lockOwner(transaction, id, false);
        await logs.record(transaction, userEvent(actor, target, 'user.tokens_unlocked'));
      }
      const count = ids.length === 0 ? 0 : await tokens.enable(transaction, id, ids);
      if (count > 0) await logs.record(transaction, userEvent(actor, target, 'user.tokens_on_count', { count }));
      return count;
    });
  }

  /** Allowed for one's own account, because only admins may bind channels. */
  async bindToken(actor: UserRow, id: number, binding: Binding): Promise<void> {
    const { tokens, logs, inTransaction } = this.#dependencies;
    const bad = splitCommas(binding.channels).find((channel) => !/^[1-9]\d{0,14}$/.test(channel));
    if (bad !== undefined) throw new ApiError('unknownScope', { name: bad });
    await inTransaction(async (transaction) => {
      const target = actor.id === id ? actor : await this.#target(actor, id, transaction);
      const token = await tokens.bind(transaction, id, binding);
      const { channels, tags } = binding;
      const isBound = channels !== '' || tags !== '';
      await logs.record(
        transaction,
        userEvent(actor, target, isBound ? 'user.token_bound' : 'user.token_unbound', {
          token,
          ...(isBound && { channels: channels || '–', tags: tags || '–' }),
        }),
      );
    });
  }

  async sessions(actor: UserRow, id: number) {
    await this.#target(actor, id);
    return this.#dependencies.sessions.list(id, undefined);
  }

  async endSessions(actor: UserRow, id: number): Promise<void> {
    const { sessions, logs, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const target = await this.#target(actor, id, transaction);
      await sessions.endOthers(transaction, id, undefined);
      await logs.record(transaction, userEvent(actor, target, 'user.signed_out'));
    });
  }

  /** Effective limits and budgets of a user's requests. */
  async limits(actor: UserRow, id: number): Promise<{ limits: OwnLimit[]; budgets: Budget[] }> {
    const target = await this.#target(actor, id);
    const { limitRules, budgets } = this.#dependencies;
    const [limits, amounts] = await Promise.all([limitRules.own(target), budgets.applyingTo(id, groupsOf(target))]);
    return { limits, budgets: amounts };
  }

  /** The user, if the caller may read their account. */
  readable(actor: UserRow, id: number): Promise<UserRow> {
    return this.#target(actor, id);
  }

  async models(actor: UserRow, id: number): Promise<string[]> {
    return this.#dependencies.channels.availableModels(groupsOf(await this.#target(actor, id)));
  }

  async #target(actor: UserRow, id: number, transaction?: Transaction): Promise<UserRow> {
    const { userRepository } = this.#dependencies;
    const users = transaction ? userRepository.within(transaction) : userRepository;
    const target = await users.find(id);
    if (!target) throw new ApiError('unknownUser');
    requireHigherRole(actor, target, transaction ? 'editEqualOrHigher' : 'readEqualOrHigher');
    return target;
  }
}
