import { logType, type Parsed, type registrationApi } from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { BotCheckService, Visitor } from '../bot-check/turnstile.ts';
import type { AccountService } from '../users/account-service.ts';
import type { UserService } from '../users/user-service.ts';

type Registration = Parsed<typeof registrationApi.register>['body'];

/** Verification codes sent to an address; each works once for its purpose. */
export interface EmailCodes {
  verify(purpose: 'registration', email: string, code: string): Promise<boolean>;
  /** Consumes the code in the same transaction, so that a taken username does not use up the code. */
  consume(transaction: Transaction, purpose: 'registration', email: string, code: string): Promise<boolean>;
}

interface VerifiedEmail {
  readonly email: string;
  readonly code: string;
}

interface RegistrationServiceDependencies {
  readonly accounts: AccountService;
  readonly options: OptionService;
  readonly inTransaction: InTransaction;
  readonly emailCodes: EmailCodes;
  readonly visitors: BotCheckService;
  readonly users: Pick<UserService, 'newPasswordHash'>;
}

/** Self-registration, if the options allow it. */
export class RegistrationService {
  readonly #dependencies: RegistrationServiceDependencies;

  constructor(dependencies: RegistrationServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Creates the account without signing in. */
  async register(registration: Registration, visitor: Visitor): Promise<void> {
    const { accounts, options, inTransaction, visitors, users } = this.#dependencies;
    const { RegisterEnabled, PasswordRegisterEnabled } = options.values;
    if (!RegisterEnabled) throw new ApiError('registrationOff');
    if (!PasswordRegisterEnabled) throw new ApiError('passwordRegistrationOff');
    await visitors.require(visitor);
    const verified = await this.#verifiedEmail(registration);
    const { username, password, aff_code } = registration;
    const account = {
      username,
      display_name: username,
      password_hash: await users.newPasswordHash(password),
      email: verified?.email ?? null,
      inviteCode: aff_code ?? '',
    };
    await inTransaction(async (transaction) => {
      await this.#useUp(transaction, verified);
      return accounts.open(transaction, account, (user) => ({
        type: logType.system,
        event: 'user.registered',
        user,
        values: { user: user.username },
      }));
    });
  }

  async #useUp(transaction: Transaction, verified: VerifiedEmail | undefined): Promise<void> {
    if (!verified) return;
    const { email, code } = verified;
    const isOurs = await this.#dependencies.emailCodes.consume(transaction, 'registration', email, code);
    if (!isOurs) throw new ApiError('wrongEmailCode');
  }

  /** Undefined when email verification is disabled: unverified addresses are not stored. */
  async #verifiedEmail({ email: given, verification_code: code }: Registration): Promise<VerifiedEmail | undefined> {
    const { options, emailCodes } = this.#dependencies;
    if (!options.values.EmailVerificationEnabled) return undefined;
    if (!given || !code) throw new ApiError('emailAndCodeNeeded');
    const email = given.toLowerCase();
    if (!(await emailCodes.verify('registration', email, code))) throw new ApiError('wrongEmailCode');
    return { email, code };
  }
}
