import { logType, type Parsed, type registrationApi } from '@headgate/contract';
import type { OptionService } from '../options/option-service.ts';
import { Refusal } from '../refusal.ts';
import type { InTransaction } from '../transaction.ts';
import type { AccountService } from '../users/account-service.ts';
import { hashPassword } from '../users/password.ts';

type Registration = Parsed<typeof registrationApi.register>['body'];

/** Knows the codes that were sent to an address; each opens its purpose once. */
export interface EmailCodes {
  verify(purpose: 'registration', email: string, code: string): Promise<boolean>;
}

/** Asks the bot check's service whether a person solved it. */
export interface BotCheck {
  passes(token: string, address: string): Promise<boolean>;
}

interface Visitor {
  readonly address: string;
  readonly botCheckToken: string;
}

interface Parts {
  readonly accounts: AccountService;
  readonly options: OptionService;
  readonly inTransaction: InTransaction;
  /** Absent where no mail can be sent: registration is then refused when it needs a verified address. */
  readonly emailCodes?: EmailCodes;
  /** Absent where nobody can ask: registration is then refused when it needs the check. */
  readonly botCheck?: BotCheck;
}

/** Lets visitors make their own accounts, as far as the options allow. */
export class RegistrationService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Makes the account and does not sign in. */
  async register(registration: Registration, visitor: Visitor): Promise<void> {
    const { accounts, options, inTransaction } = this.#parts;
    const { RegisterEnabled, PasswordRegisterEnabled } = options.values;
    if (!RegisterEnabled) throw new Refusal('registrationOff');
    if (!PasswordRegisterEnabled) throw new Refusal('passwordRegistrationOff');
    await this.#checkBot(visitor);
    const email = await this.#verifiedEmail(registration);
    const { username, password, aff_code } = registration;
    const account = {
      username,
      display_name: username,
      password_hash: await hashPassword(password),
      email,
      inviteCode: aff_code ?? '',
    };
    await inTransaction((transaction) =>
      accounts.open(transaction, account, (user) => ({
        type: logType.system,
        event: 'user.registered',
        user,
        values: { user: user.username },
      })),
    );
  }

  async #checkBot({ address, botCheckToken }: Visitor): Promise<void> {
    const { options, botCheck } = this.#parts;
    if (!options.values.TurnstileCheckEnabled) return;
    if (!botCheck) throw new Refusal('botCheckNotSetUp');
    if (!(await botCheck.passes(botCheckToken, address))) throw new Refusal('botCheckFailed');
  }

  /** Null where none is asked for: an address that nobody has proved to own is not stored. */
  async #verifiedEmail({ email, verification_code }: Registration): Promise<string | null> {
    const { options, emailCodes } = this.#parts;
    if (!options.values.EmailVerificationEnabled) return null;
    if (!emailCodes) throw new Refusal('mailNotSetUp');
    if (!email || !verification_code) throw new Refusal('emailAndCodeNeeded');
    if (!(await emailCodes.verify('registration', email, verification_code))) throw new Refusal('wrongEmailCode');
    return email;
  }
}
