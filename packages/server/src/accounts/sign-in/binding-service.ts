import { type Binding, type LoginProviderName, loginProviders, logType } from '@headgate/contract';
import type { CodeService } from '../../platform/codes/code-service.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import { identityIssuer } from '../users/identity-columns.ts';
import type { KnownIdentities } from '../users/known-identities.ts';
import { allowsProviderSignIn, hasOtherSignInMethod } from '../users/sign-in-methods.ts';
import type { UserService } from '../users/user-service.ts';
import { type ProviderAccount, providerNames } from './provider.ts';

interface BindingServiceDependencies {
  readonly users: UserService;
  readonly codes: CodeService;
  readonly knownIdentities: KnownIdentities;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly hasPasskey: (transaction: Transaction, userId: number) => Promise<boolean>;
}

interface ProvedIdentity {
  readonly id: string;
  readonly issuer?: string | undefined;
}

type Identity = (typeof loginProviders)[LoginProviderName]['identity'] | 'email';

const identityOf = (binding: Binding): Identity => (binding === 'email' ? 'email' : loginProviders[binding].identity);
const labelOf = (binding: Binding): string => (binding === 'email' ? 'email' : loginProviders[binding].label);

/** Bindings of an account: provider accounts and the email address. */
export class BindingService {
  readonly #dependencies: BindingServiceDependencies;

  constructor(dependencies: BindingServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** The caller has proved ownership of the provider account. */
  async bind(user: UserRow, provider: LoginProviderName, { id, issuer }: ProviderAccount): Promise<void> {
    await this.#dependencies.inTransaction((transaction) => this.#write(transaction, user, provider, { id, issuer }));
  }

  /** The code proves the address; wrong codes count towards its limit. */
  async bindEmail(user: UserRow, email: string, code: string): Promise<void> {
    const { codes, inTransaction } = this.#dependencies;
    if (!(await codes.verify('registration', email, code))) throw new ApiError('wrongEmailCode');
    await inTransaction(async (transaction) => {
      if (!(await codes.consume(transaction, 'registration', email, code))) throw new ApiError('wrongEmailCode');
      await this.#write(transaction, user, 'email', { id: email });
    });
  }

  /** At least one sign-in method must remain. */
  async unbind({ id }: UserRow, binding: Binding): Promise<void> {
    await this.#dependencies.inTransaction(async (transaction) => {
      const user = await this.#dependencies.users.lock(transaction, id);
      if (user[identityOf(binding)] === null) throw new ApiError('notBound');
      const isLast =
        !hasOtherSignInMethod(user, identityOf(binding)) && !(await this.#dependencies.hasPasskey(transaction, id));
      if (isLast) throw new ApiError('lastWayIn');
      await this.#dependencies.knownIdentities.remember(transaction, user);
      await this.#dependencies.users.clearIdentity(transaction, user, identityOf(binding));
      await this.#record(transaction, user, 'user.unbound', binding);
    });
  }

  /** Allows or forbids email reset and provider login for a super admin account. */
  async allowProviderSignIn(user: UserRow, isAllowed: boolean): Promise<void> {
    if (allowsProviderSignIn(user) === isAllowed) return;
    const { users, logs, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      await users.setProviderSignIn(transaction, user, isAllowed);
      const event = isAllowed ? 'user.elsewhere_on' : 'user.elsewhere_off';
      await logs.record(transaction, { type: logType.system, event, user, values: { user: user.username } });
    });
  }

  async #write(transaction: Transaction, user: UserRow, binding: Binding, proved: ProvedIdentity): Promise<void> {
    const claim = { identity: identityOf(binding), value: proved.id, issuer: proved.issuer ?? '' };
    if (user[claim.identity] === claim.value && identityIssuer(user, claim.identity) === claim.issuer) return;
    if (!(await this.#dependencies.users.setIdentity(transaction, user, claim))) {
      throw binding === 'email'
        ? new ApiError('emailTaken')
        : new ApiError('identityTaken', { provider: providerNames[binding] });
    }
    for (const known of [user, { [claim.identity]: claim.value }]) {
      await this.#dependencies.knownIdentities.remember(transaction, known);
    }
    await this.#record(transaction, user, 'user.bound', binding);
  }

  async #record(transaction: Transaction, user: UserRow, event: 'user.bound' | 'user.unbound', binding: Binding) {
    const values = { user: user.username, provider: labelOf(binding) };
    await this.#dependencies.logs.record(transaction, { type: logType.system, event, user, values });
  }
}
