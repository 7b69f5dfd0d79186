import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { type LogService, userEvent } from '../../records/logs/log-service.ts';
import type { PasskeyService } from '../passkeys/passkey-service.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { requireStrictlyHigherRole } from '../users/user-authority.ts';
import type { UserService } from '../users/user-service.ts';
import type { SecondFactorService } from './second-factor-service.ts';

interface SecondFactorResetServiceDependencies {
  readonly users: UserService;
  readonly secondFactor: SecondFactorService;
  readonly passkeys: PasskeyService;
  readonly sessions: SessionService;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

/** Lets admins reset the second factor of users who lost their phone. */
export class SecondFactorResetService {
  readonly #dependencies: SecondFactorResetServiceDependencies;

  constructor(dependencies: SecondFactorResetServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Removes all second factors, even when a passkey was the only sign-in method: the same admin can then set a
   * password.
   */
  async reset(actor: UserRow, id: number): Promise<void> {
    const { users, secondFactor, passkeys, sessions, logs, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const user = await users.lock(transaction, id);
      requireStrictlyHigherRole(actor, user);
      const wasOn = await secondFactor.removeWithoutCode(transaction, user);
      const hadPasskeys = await passkeys.removeAll(transaction, user);
      if (!wasOn && !hadPasskeys) throw new ApiError('nothingToReset');
      await sessions.endOthers(transaction, id, undefined);
      await logs.record(transaction, userEvent(actor, user, 'user.second_factor_reset'));
    });
  }
}
