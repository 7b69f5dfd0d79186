import { randomBytes } from 'node:crypto';
import {
  type LoginProviderName,
  loginProviders,
  logType,
  type RedirectProviderName,
  userStatus,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { TicketService } from '../../platform/tickets/ticket-service.ts';
import type { AccountService } from '../users/account-service.ts';
import { identityColumns } from '../users/identity-columns.ts';
import { allowsProviderSignIn } from '../users/sign-in-methods.ts';
import type { UserService } from '../users/user-service.ts';
import { displayNameFrom, usernameCandidates } from '../users/username-candidates.ts';
import type { BindingService } from './binding-service.ts';
import { type LoginProvider, type ProviderAccount, providerNames, type SignInAttempt } from './provider.ts';
import { providerErrorFor } from './provider-errors.ts';

interface ProviderLoginServiceDependencies {
  readonly providers: Readonly<Record<LoginProviderName, LoginProvider>>;
  readonly options: OptionService;
  readonly tickets: TicketService;
  readonly users: UserService;
  readonly accounts: AccountService;
  readonly bindings: BindingService;
  /** Throws if an organization requires SSO for the account. */
  readonly requireNoSso: (user: UserRow) => Promise<void>;
  readonly inTransaction: InTransaction;
  readonly onFailure: (provider: LoginProviderName, error: Error) => void;
}

interface LoginStart {
  /** Absent when the caller chooses the provider later. */
  readonly provider?: RedirectProviderName | undefined;
  readonly caller: UserRow | undefined;
  /** True if the caller signed in recently and may bind accounts. */
  readonly isProved: boolean;
  readonly browser: string;
}

interface LoginReturn {
  readonly code: string;
  readonly state: string;
  readonly inviteCode: string;
  readonly caller: UserRow | undefined;
  readonly isProved: boolean;
  readonly browser: string | undefined;
}

interface StoredLogin extends Omit<SignInAttempt, 'state'> {
  readonly provider?: RedirectProviderName;
  /** Whether the proof was recent when the redirect started. */
  readonly isProved: boolean;
}

/**
 * Signs in users by their provider accounts, creates accounts for new users, and binds provider accounts to signed-in
 * users.
 */
export class ProviderLoginService {
  readonly #dependencies: ProviderLoginServiceDependencies;

  constructor(dependencies: ProviderLoginServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns a state for the redirect, and the URL of the authorization page if a provider is given. */
  async begin({ provider, caller, isProved, browser }: LoginStart): Promise<{ state: string; url?: string }> {
    if (provider !== undefined) this.#requireOn(provider);
    const detail: StoredLogin = { verifier: secret(), nonce: secret(), isProved, ...(provider && { provider }) };
    const state = await this.#dependencies.tickets.issue({
      purpose: 'oauth',
      browser,
      userId: caller?.id ?? 0,
      detail,
    });
    if (provider === undefined) return { state };
    const url = await this.#send(provider, async (known) => known.page?.({ ...detail, state }) ?? '');
    return { state, url };
  }

  /** Returns the user to sign in, or undefined when the provider account was bound to the signed-in caller. */
  async finish(provider: RedirectProviderName, back: LoginReturn): Promise<UserRow | undefined> {
    this.#requireOn(provider);
    const { code, state, caller } = back;
    const ticket = await this.#dependencies.tickets.redeem('oauth', state, back.browser);
    const detail = ticket?.detail as StoredLogin | undefined;
    if (!detail || ticket?.userId !== (caller?.id ?? 0) || (detail.provider ?? provider) !== provider) {
      throw new ApiError('signInStateInvalid');
    }
    const account = await this.#send(provider, (known) => known.identify(code, { ...detail, state }));
    if (!caller) return this.#enter(provider, account, back.inviteCode);
    if (!detail.isProved && !back.isProved) return this.#signInAgain(provider, account, caller);
    await this.#dependencies.bindings.bind(caller, provider, account);
    return undefined;
  }

  /** Signs in with a code from a provider without an authorization page. */
  async byCode(provider: 'wechat', code: string, inviteCode: string): Promise<UserRow> {
    return this.#enter(provider, await this.#identifyByCode(provider, code), inviteCode);
  }

  async bindByCode(provider: 'wechat', code: string, caller: UserRow): Promise<void> {
    await this.#dependencies.bindings.bind(caller, provider, await this.#identifyByCode(provider, code));
  }

  #identifyByCode(provider: 'wechat', code: string): Promise<ProviderAccount> {
    this.#requireOn(provider);
    return this.#send(provider, (known) => known.identify(code, { state: '', verifier: '', nonce: '' }));
  }

  #requireOn(provider: LoginProviderName): void {
    if (this.#dependencies.providers[provider].isOn(this.#dependencies.options.values)) return;
    throw new ApiError('providerOff', { provider: providerNames[provider] });
  }

  /** Calls the provider. Its failures become our own error messages, which contain nothing that was sent. */
  async #send<T>(name: LoginProviderName, question: (provider: LoginProvider) => Promise<T>): Promise<T> {
    try {
      return await question(this.#dependencies.providers[name]);
    } catch (error) {
      const rejected = name === 'wechat' ? 'wrongEmailCode' : 'providerRejected';
      const rejection = providerErrorFor(providerNames[name], error, rejected);
      if (!rejection) throw error;
      this.#dependencies.onFailure(name, error as Error);
      throw rejection;
    }
  }

  async #enter(provider: LoginProviderName, account: ProviderAccount, inviteCode: string): Promise<UserRow> {
    const user = (await this.#find(provider, account)) ?? (await this.#register(provider, account, inviteCode));
    if (user.status !== userStatus.enabled) throw new ApiError('userBanned');
    if (!allowsProviderSignIn(user)) throw new ApiError('rootSignsInHere');
    await this.#dependencies.requireNoSso(user);
    return user;
  }

  /** Without a recent proof nothing is bound, but signing in with an already bound account counts as a new login. */
  async #signInAgain(provider: LoginProviderName, account: ProviderAccount, caller: UserRow): Promise<UserRow> {
    const known = await this.#find(provider, account);
    if (known?.id !== caller.id) throw new ApiError('proofNeeded');
    return this.#enter(provider, account, '');
  }

  #find(provider: LoginProviderName, { id, issuer = '' }: ProviderAccount): Promise<UserRow | undefined> {
    return this.#dependencies.users.findByIdentity({ identity: loginProviders[provider].identity, value: id, issuer });
  }

  async #register(provider: LoginProviderName, account: ProviderAccount, inviteCode: string): Promise<UserRow> {
    if (!this.#dependencies.options.values.RegisterEnabled) throw new ApiError('registrationOff');
    for (const username of usernameCandidates(account.login, `${provider}_`)) {
      const opened = await this.#open(provider, account, { username, inviteCode }).catch(apiErrorIn);
      if (!(opened instanceof ApiError)) return opened;
      // The same new user signed in from two windows, and the other window finished first.
      const known = opened.code === 'identityTaken' ? await this.#find(provider, account) : undefined;
      if (known) return known;
      if (opened.code !== 'usernameTaken') throw opened;
    }
    throw new ApiError('usernameTaken');
  }

  #open(
    provider: LoginProviderName,
    account: ProviderAccount,
    { username, inviteCode }: { username: string; inviteCode: string },
  ): Promise<UserRow> {
    const { accounts, inTransaction } = this.#dependencies;
    const opened = {
      username,
      display_name: displayNameFrom([account.name, account.login], username),
      password_hash: null,
      ...identityColumns(loginProviders[provider].identity, account.id, account.issuer ?? ''),
      inviteCode,
    };
    return inTransaction((transaction) =>
      accounts.open(transaction, opened, (user) => ({
        type: logType.system,
        event: 'user.registered_with',
        user,
        values: { user: user.username, provider: loginProviders[provider].label },
      })),
    );
  }
}

function apiErrorIn(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

const secret = () => randomBytes(32).toString('base64url');
