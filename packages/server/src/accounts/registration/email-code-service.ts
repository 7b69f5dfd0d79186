import type { CodeService } from '../../platform/codes/code-service.ts';
import { ApiError, type Language } from '../../platform/errors/api-error.ts';
import type { MailService } from '../../platform/mail/mail-service.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { BotCheckService, Visitor } from '../bot-check/turnstile.ts';
import type { UserService } from '../users/user-service.ts';

interface EmailCodeServiceDependencies {
  readonly codes: CodeService;
  readonly mail: MailService;
  readonly options: OptionService;
  readonly users: UserService;
  readonly visitors: BotCheckService;
}

/** Sends verification codes by email. */
export class EmailCodeService {
  readonly #dependencies: EmailCodeServiceDependencies;

  constructor(dependencies: EmailCodeServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Responds identically for available and taken addresses; only the owner of a taken address is informed, by a
   * different email.
   */
  async send(email: string, visitor: Visitor, language: Language): Promise<void> {
    const { codes, mail, users, visitors } = this.#dependencies;
    mail.require();
    await visitors.require(visitor);
    this.#requireAllowed(email);
    const code = await codes.issue('registration', email);
    if (await users.isEmailTaken(email)) mail.send('taken', email, language);
    else mail.send('code', email, language, { code });
  }

  /** The domain must match exactly: neither a suffix nor a subdomain is enough. */
  #requireAllowed(email: string): void {
    const { EmailDomainRestrictionEnabled, EmailDomainWhitelist } = this.#dependencies.options.values;
    if (!EmailDomainRestrictionEnabled) return;
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (EmailDomainWhitelist.some((allowed) => allowed.toLowerCase() === domain)) return;
    throw new ApiError('emailDomainNotAllowed');
  }
}
