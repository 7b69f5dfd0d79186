import { defaultRoot, isRoot, userStatus } from '@headgate/contract';
import type { OptionService } from '../options/option-service.ts';
import { Refusal } from '../refusal.ts';
import type { VisitorCheck } from '../registration/visitor-check.ts';
import { verifyPassword } from '../users/password.ts';
import type { UserRow, UserService } from '../users/user-service.ts';
import type { LoginLimits } from './login-limits.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface Origin {
  readonly address: string;
  readonly isLoopback: boolean;
  /** Asked for after repeated failures only. */
  readonly botCheckToken: string;
}

interface Parts {
  readonly users: UserService;
  readonly options: OptionService;
  readonly limits: LoginLimits;
  readonly visitors: VisitorCheck;
}

export class LoginService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The user these credentials belong to. Says the same of an unknown name, a wrong password and a banned account. */
  async byPassword(credentials: Credentials, origin: Origin): Promise<UserRow> {
    const { limits, visitors } = this.#parts;
    await this.#requirePasswordLogin(credentials);
    return limits.attempt(origin.address, credentials.username, async (isSuspicious) => {
      if (isSuspicious) await visitors.require(origin, 'botCheckNeeded');
      return this.#check(credentials, origin);
    });
  }

  /** Admins turn it off for everybody but the super admin, whom other ways do not let in unless he allows them. */
  async #requirePasswordLogin({ username }: Credentials): Promise<void> {
    if (this.#parts.options.values.PasswordLoginEnabled) return;
    const user = await this.#parts.users.findByLogin(username);
    if (!user || !isRoot(user)) throw new Refusal('passwordLoginOff');
  }

  async #check(credentials: Credentials, { isLoopback }: Origin): Promise<UserRow> {
    // Asked of every account: root may have been renamed or be called by its address, and no other password is so short.
    if (credentials.password === defaultRoot.password && !isLoopback) throw new Refusal('defaultPasswordFromAfar');
    const user = await this.#parts.users.findByLogin(credentials.username);
    const matches = await verifyPassword(credentials.password, user?.password_hash ?? null);
    if (!user || !matches || user.status !== userStatus.enabled) throw new Refusal('wrongCredentials');
    return user;
  }
}
