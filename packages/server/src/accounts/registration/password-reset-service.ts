import { randomInt } from 'node:crypto';
import { logType } from '@headgate/contract';
import type { CodeService } from '../../platform/codes/code-service.ts';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError, type Language } from '../../platform/errors/api-error.ts';
import type { MailService } from '../../platform/mail/mail-service.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { BotCheckService, Visitor } from '../bot-check/turnstile.ts';
import type { UserService } from '../users/user-service.ts';

interface PasswordResetServiceDependencies {
  readonly codes: CodeService;
  readonly mail: MailService;
  readonly users: UserService;
  readonly logs: LogService;
  readonly visitors: BotCheckService;
  readonly inTransaction: InTransaction;
  readonly home: PublicUrl;
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const randomPassword = () => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Resets passwords by email. */
export class PasswordResetService {
  readonly #dependencies: PasswordResetServiceDependencies;

  constructor(dependencies: PasswordResetServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Behaves and responds the same for known and unknown addresses, except for the email itself. */
  async request(email: string, visitor: Visitor, language: Language): Promise<void> {
    const { codes, mail, users, visitors } = this.#dependencies;
    mail.require();
    const home = this.#dependencies.home.require('serverAddressNeeded');
    await visitors.require(visitor);
    const token = await codes.issue('reset', email);
    const link = `${home}/user/reset?${new URLSearchParams({ email, token })}`;
    if (await users.findByEmail(email)) mail.send('reset', email, language, { link });
  }

  /** Returns the new password. All sessions and access tokens end; API tokens keep working (decision 12). */
  async reset(email: string, token: string): Promise<string> {
    const { codes, users, logs, inTransaction } = this.#dependencies;
    if (!(await codes.verify('reset', email, token))) throw new ApiError('resetLinkInvalid');
    const password = randomPassword();
    const change = await users.passwordColumns(password);
    await inTransaction(async (transaction) => {
      if (!(await codes.consume(transaction, 'reset', email, token))) throw new ApiError('resetLinkInvalid');
      const user = await users.replacePassword(transaction, email, change);
      if (!user) throw new ApiError('resetLinkInvalid');
      const values = { user: user.username };
      await logs.record(transaction, { type: logType.system, event: 'user.reset_password', user, values });
    });
    return password;
  }
}
