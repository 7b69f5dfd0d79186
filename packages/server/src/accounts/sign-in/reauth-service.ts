import type { ReauthMethod } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { LoginLimits } from '../../platform/rate-limits/login-limits.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { verifyPassword } from '../users/password.ts';

interface ReauthServiceDependencies {
  readonly sessions: SessionService;
  readonly secondFactor: SecondFactorService;
  readonly limits: LoginLimits;
}

interface ReauthOrigin {
  /** Absent for API clients with an access token, which cannot prove an identity. */
  readonly session: string | undefined;
  readonly address: string;
}

/**
 * Requires a recent proof of identity for changes to sign-in methods, because otherwise anyone could add one in an
 * unattended browser.
 */
export class ReauthService {
  readonly #dependencies: ReauthServiceDependencies;

  constructor(dependencies: ReauthServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async state(user: UserRow, session: string | undefined): Promise<{ isNeeded: boolean; by: ReauthMethod }> {
    return { isNeeded: !(await this.#dependencies.sessions.isProved(user.id, session)), by: reauthMethodOf(user) };
  }

  async prove(user: UserRow, given: string, { session, address }: ReauthOrigin): Promise<void> {
    const { sessions, secondFactor, limits } = this.#dependencies;
    const by = reauthMethodOf(user);
    if (session === undefined || by === 'login') throw new ApiError('proofNeeded');
    if (by === 'code') await secondFactor.check(user, given, address);
    else await limits.attempt({ kind: 'proof', account: String(user.id), address }, () => requirePassword(user, given));
    if (!(await sessions.prove(user.id, session))) throw new ApiError('proofNeeded');
  }
}

function reauthMethodOf({ second_factor, password_hash }: UserRow): ReauthMethod {
  if (second_factor === 1) return 'code';
  return password_hash === null ? 'login' : 'password';
}

async function requirePassword({ password_hash }: UserRow, given: string): Promise<void> {
  if (!(await verifyPassword(given, password_hash))) throw new ApiError('wrongPassword');
}
