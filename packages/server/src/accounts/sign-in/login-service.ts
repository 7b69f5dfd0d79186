import { defaultRoot, isRoot, userStatus } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { LoginLimits } from '../../platform/rate-limits/login-limits.ts';
import type { BotCheckService } from '../bot-check/turnstile.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { verifyPassword } from '../users/password.ts';
import type { UserService } from '../users/user-service.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface Origin {
  readonly address: string;
  readonly isLoopback: boolean;
  /** Device id, if the user was signed in on this device before. */
  readonly knownDevice: (userId: number) => string | undefined;
  /** Required only after repeated failures. */
  readonly botCheckToken: string;
}

interface LoginServiceDependencies {
  readonly users: UserService;
  readonly options: OptionService;
  readonly limits: LoginLimits;
  readonly sessions: SessionService;
  readonly visitors: BotCheckService;
  /** Throws if an organization requires SSO for the account. */
  readonly requireNoSso: (user: UserRow) => Promise<void>;
}

export class LoginService {
  readonly #dependencies: LoginServiceDependencies;

  constructor(dependencies: LoginServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** The user with these credentials. An unknown name, a wrong password and a banned account return the same error. */
  async byPassword(credentials: Credentials, origin: Origin): Promise<UserRow> {
    const { users, limits, sessions, visitors } = this.#dependencies;
    const user = await users.findByLogin(credentials.username);
    const guess = {
      kind: 'login',
      account: credentials.username,
      address: origin.address,
      device: user && origin.knownDevice(user.id),
      // Also evaluated for unknown usernames, so that they take as long.
      isKnownAddress: () => sessions.hasSessionFrom(user?.id ?? 0, origin.address),
    } as const;
    const found = await limits.attempt(
      guess,
      () => this.#checkAllowed(user, credentials, origin),
      () => visitors.require(origin, 'botCheckNeeded'),
    );
    await this.#dependencies.requireNoSso(found);
    await users.rehashImportedPassword(found, credentials.password);
    return found;
  }

  /**
   * With password login disabled, only the super admin can still use a password, because other sign-in methods are
   * closed to that account unless allowed. All other logins take as long and return the same error, so that neither
   * timing nor errors reveal which account it is.
   */
  async #checkAllowed(user: UserRow | undefined, credentials: Credentials, origin: Origin): Promise<UserRow> {
    const checked = check(user, credentials, origin, this.#dependencies.users.passwordKib);
    if (this.#dependencies.options.values.PasswordLoginEnabled) return checked;
    const found = await checked.catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'wrongCredentials') return undefined;
      throw error;
    });
    if (!found || !isRoot(found)) throw new ApiError('passwordLoginOff');
    return found;
  }
}

async function check(
  user: UserRow | undefined,
  { password }: Credentials,
  { isLoopback }: Origin,
  passwordKib: number,
): Promise<UserRow> {
  // Checked for every account: root may have been renamed or may use its email, and no other password is this short.
  if (password === defaultRoot.password && !isLoopback) throw new ApiError('defaultPasswordFromAfar');
  const matches = await verifyPassword(password, user?.password_hash ?? null, passwordKib);
  if (!user || !matches || user.status !== userStatus.enabled) throw new ApiError('wrongCredentials');
  return user;
}
