import { networkOf } from '../http/client-network.ts';
import { RateLimiter, type RateLimits } from '../http/rate-limits.ts';
import { Refusal } from '../refusal.ts';
import { Turns } from './turns.ts';

/** After so many failures of an account, or of an address, only people may go on. */
const suspiciousFailures = { account: 3, address: 6 } as const;

/** Enough for an office whose people all sign in at nine; few enough to tell failures before many more are tried. */
const atOnceByAddress = 4;

/** Counts failed logins by address and by the name that was tried, whether or not there is such an account. */
export class LoginLimits {
  readonly #addresses: FailureLimiter;
  readonly #accounts: FailureLimiter;

  constructor(limits: RateLimits) {
    this.#addresses = new FailureLimiter(new RateLimiter(limits.loginAddress, 'tooManyFailedLogins'), atOnceByAddress);
    // One after the other, so that a hundred guesses at once are not all let in before the first has failed.
    this.#accounts = new FailureLimiter(new RateLimiter(limits.loginAccount, 'tooManyFailedLogins'), 1);
  }

  /**
   * Runs `check`, which refuses when the login fails, and is told whether there were failures enough to suspect a
   * program; a success forgives the account its failures.
   */
  async attempt<T>(address: string, name: string, check: (isSuspicious: boolean) => Promise<T>): Promise<T> {
    const account = name.normalize('NFKC').toLowerCase();
    const network = networkOf(address);
    return this.#addresses.attempt(network, () =>
      this.#accounts.attempt(account, async () => {
        const isSuspicious =
          (await this.#accounts.failures(account)) >= suspiciousFailures.account ||
          (await this.#addresses.failures(network)) >= suspiciousFailures.address;
        const found = await check(isSuspicious);
        await this.#accounts.forgive(account);
        return found;
      }),
    );
  }
}

class FailureLimiter {
  readonly #failures: RateLimiter;
  readonly #turns: Turns;

  constructor(failures: RateLimiter, atOnce: number) {
    this.#failures = failures;
    this.#turns = new Turns(atOnce);
  }

  attempt<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(key, async () => {
      await this.#failures.requireRoom(key);
      try {
        return await work();
      } catch (error) {
        if (isGuess(error)) await this.#failures.count(key);
        throw error;
      }
    });
  }

  failures(key: string): Promise<number> {
    return this.#failures.counted(key);
  }

  forgive(key: string): Promise<void> {
    return this.#failures.forget(key);
  }
}

/** An account that is locked already, a bot check that is missing, or a database that is down, was no guess. */
const isGuess = (error: unknown): boolean =>
  error instanceof Refusal && error.status === 200 && !/^botCheck/.test(error.code);
