import { ApiError } from '../errors/api-error.ts';
import { clientNetwork } from './client-network.ts';
import { type CounterFactory, MemoryCounters } from './counters.ts';
import { type RateLimit, RateLimiter, type RateLimits } from './rate-limits.ts';

/** Failures of an account or a network after which a bot check is required. */
const suspiciousFailures = { account: 3, network: 6 } as const;

/**
 * Enough for an office in which everyone signs in at nine, and few enough that failures are noticed before many more
 * attempts run.
 */
const concurrencyByPlace = 4;

/**
 * Minimum interval between attempts of unknown clients on an attacked account. Networks without failures have a
 * separate queue, so that an owner on a new machine does not wait behind attackers.
 */
const spacingSeconds = { clean: 10, failed: 30 } as const;

/** An attempt to guess a secret. */
interface Guess {
  /**
   * Login is open to anyone. A second factor or a proof requires the password or the session first, so locking it
   * cannot be used to lock out another user, and short codes need a lock.
   */
  readonly kind: 'login' | 'second factor' | 'proof';
  /** The name as typed, whether or not the account exists, or an account id. */
  readonly account: string;
  readonly address: string;
  /** A device on which the account was signed in before. */
  readonly device?: string | undefined;
  /** True if the account was signed in from that address before; called only when needed. */
  readonly isKnownAddress?: () => Promise<boolean>;
}

type Keys = Readonly<Record<'account' | 'network' | 'pair', string>>;

/**
 * Counts failed guesses by network and by account. A network that fails too often is locked. An account is never
 * locked, but after too many failures unknown clients are admitted one at a time. Known devices are not affected.
 */
export class LoginLimits {
  readonly #max: number;
  readonly #networks: FailureLimiter;
  /** Failed logins to one account from one network. */
  readonly #pairs: FailureLimiter;
  /** Failed logins to one account from all unknown networks. */
  readonly #accounts: RateLimiter;
  readonly #lines: Readonly<Record<keyof typeof spacingSeconds, RateLimiter>>;

  /** In memory of this process by default. */
  constructor(limits: RateLimits, countsFor: CounterFactory = (_, seconds) => new MemoryCounters(seconds)) {
    const limiter = (name: string, limit: RateLimit) =>
      new RateLimiter(limit, 'tooManyFailedLogins', countsFor(`failed logins ${name}`, limit.seconds));
    this.#max = limits.loginAccount.most;
    this.#networks = new FailureLimiter(limiter('places', limits.loginAddress), concurrencyByPlace);
    // One at a time, so that a hundred concurrent guesses are not all admitted before the first fails.
    this.#pairs = new FailureLimiter(limiter('pairs', limits.loginAccount), 1);
    this.#accounts = limiter('accounts', limits.loginAccount);
    this.#lines = {
      clean: limiter('clean', { most: 1, seconds: spacingSeconds.clean }),
      failed: limiter('failed', { most: 1, seconds: spacingSeconds.failed }),
    };
  }

  /**
   * Runs `check`, which throws for a wrong guess; a success resets the account's failures. After too many failures,
   * `requirePerson` runs first.
   */
  async attempt<T>(guess: Guess, check: () => Promise<T>, requirePerson = async () => {}): Promise<T> {
    const network =
      guess.device === undefined ? key('network', clientNetwork(guess.address)) : key('device', guess.device);
    const account = key(guess.kind, guess.account.normalize('NFKC').toLowerCase());
    const pair = guess.device === undefined && guess.kind !== 'login' ? account : key(account, network);
    const turn = guess.device === undefined ? account : pair;
    const keys = { account, network, pair };
    return this.#networks.attempt(network, async () => {
      // Not in the account's queue, in which the owner may be waiting: for a forged token, the external service may
      // take long.
      const isRequested = await this.#isSuspicious(await this.#isStranger(guess, account), keys);
      if (isRequested) await requirePerson();
      const work = async () => {
        const isStranger = await this.#isStranger(guess, account);
        if (isStranger && guess.kind === 'login') await this.#requireSpacing(keys);
        if (!isRequested && (await this.#isSuspicious(isStranger, keys))) await requirePerson();
        const found = await this.#counting(account, isStranger, check);
        await this.#pairs.forgive(pair);
        await this.#accounts.forget(account);
        return found;
      };
      return this.#pairs.attempt(pair, work, turn);
    });
  }

  async #isStranger(guess: Guess, account: string): Promise<boolean> {
    return guess.device === undefined && !(await this.#isAtHome(guess, account));
  }

  async #isSuspicious(isStranger: boolean, { account, network, pair }: Keys): Promise<boolean> {
    const failures = await (isStranger ? this.#accounts.counted(account) : this.#pairs.failures(pair));
    if (failures >= suspiciousFailures.account) return true;
    return (await this.#networks.failures(network)) >= suspiciousFailures.network;
  }

  async #isUnderAttack(account: string): Promise<boolean> {
    return this.#max > 0 && (await this.#accounts.counted(account)) >= this.#max;
  }

  async #isAtHome({ isKnownAddress }: Guess, account: string): Promise<boolean> {
    if (!isKnownAddress || !(await this.#isUnderAttack(account))) return false;
    return isKnownAddress();
  }

  async #requireSpacing({ account, network, pair }: Keys): Promise<void> {
    if (!(await this.#isUnderAttack(account))) return;
    const failures = (await this.#networks.failures(network)) + (await this.#pairs.failures(pair));
    await this.#lines[failures === 0 ? 'clean' : 'failed'].use(account);
  }

  async #counting<T>(account: string, isStranger: boolean, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isStranger && isGuess(error)) await this.#accounts.count(account);
      throw error;
    }
  }
}

class FailureLimiter {
  readonly #failures: RateLimiter;
  readonly #concurrency: ConcurrencyLimit;

  constructor(failures: RateLimiter, atOnce: number) {
    this.#failures = failures;
    this.#concurrency = new ConcurrencyLimit(atOnce);
  }

  /** Runs one guess and counts it if it fails. Guesses with the same `turn` run one at a time. */
  attempt<T>(counted: string, work: () => Promise<T>, turn = counted): Promise<T> {
    return this.#concurrency.run(turn, async () => {
      await this.#failures.requireRoom(counted);
      try {
        return await work();
      } catch (error) {
        if (isGuess(error)) await this.#failures.count(counted);
        throw error;
      }
    });
  }

  failures(counted: string): Promise<number> {
    return this.#failures.counted(counted);
  }

  forgive(counted: string): Promise<void> {
    return this.#failures.forget(counted);
  }
}

/** Unambiguous key of several parts, even if a name is chosen by an attacker. */
const key = (...parts: readonly string[]): string => JSON.stringify(parts);

/** A locked network, a missing bot check or a database failure is not a guess. */
const isGuess = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 200 && !/^botCheck/.test(error.code);

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Limits concurrent work per key; further work waits in order. */
class ConcurrencyLimit {
  readonly #atOnce: number;
  readonly #lines = new Map<string, Line>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running < this.#atOnce) line.running += 1;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else this.#leave(key, line);
    }
  }

  #leave(key: string, line: Line): void {
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(key);
  }
}
