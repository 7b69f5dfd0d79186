import { Refusal } from '../errors/refusal.ts';
import { networkOf } from './client-network.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import type { CountsFor } from './counts.ts';
import { MemoryCounts } from './memory-counts.ts';
import { type RateLimit, RateLimiter, type RateLimits } from './rate-limits.ts';

/** After so many failures of an account, or of a place, only people may go on. */
const suspiciousFailures = { account: 3, place: 6 } as const;

/** Enough for an office whose people all sign in at nine; few enough to tell failures before many more are tried. */
const atOnceByPlace = 4;

/**
 * How far apart strangers may try an account that many have failed at. Places without a failure of their own have a
 * line of their own, so that the owner on a new machine does not stand behind those who guess.
 */
const spacingSeconds = { clean: 10, failed: 30 } as const;

/** Something that can be guessed. */
export interface Guess {
  /**
   * Anybody can try a login. A second factor or a proof is only asked of somebody who has the password or the session:
   * there a lock keeps no stranger's victim out, and short codes need one.
   */
  readonly kind: 'login' | 'second factor' | 'proof';
  /** The name that was typed, whether or not there is such an account, or the number of one. */
  readonly account: string;
  readonly address: string;
  /** A device on which the account was signed in before. */
  readonly device?: string | undefined;
  /** Whether the account was signed in at that address before; asked when it matters. */
  readonly isKnownAddress?: () => Promise<boolean>;
}

type Keys = Readonly<Record<'account' | 'place' | 'pair', string>>;

/**
 * Counts failed guesses by place and by account. A place that fails too often is locked; an account never is, but
 * strangers are let near it one by one once too many have failed. Devices it knows do not notice.
 */
export class LoginLimits {
  readonly #most: number;
  readonly #places: FailureLimiter;
  /** One account at one place. */
  readonly #pairs: FailureLimiter;
  /** One account at all places that it does not know. */
  readonly #accounts: RateLimiter;
  readonly #lines: Readonly<Record<keyof typeof spacingSeconds, RateLimiter>>;

  /** In the memory of this process unless told where it is counted. */
  constructor(limits: RateLimits, countsFor: CountsFor = (_, seconds) => new MemoryCounts(seconds)) {
    const limiter = (name: string, limit: RateLimit) =>
      new RateLimiter(limit, 'tooManyFailedLogins', countsFor(`failed logins ${name}`, limit.seconds));
    this.#most = limits.loginAccount.most;
    this.#places = new FailureLimiter(limiter('places', limits.loginAddress), atOnceByPlace);
    // One after the other, so that a hundred guesses at once are not all let in before the first has failed.
    this.#pairs = new FailureLimiter(limiter('pairs', limits.loginAccount), 1);
    this.#accounts = limiter('accounts', limits.loginAccount);
    this.#lines = {
      clean: limiter('clean', { most: 1, seconds: spacingSeconds.clean }),
      failed: limiter('failed', { most: 1, seconds: spacingSeconds.failed }),
    };
  }

  /**
   * Runs `check`, which refuses when the guess is wrong; a success forgives the account its failures. Once there were
   * failures enough to suspect a program, `requirePerson` is asked first.
   */
  async attempt<T>(guess: Guess, check: () => Promise<T>, requirePerson = async () => {}): Promise<T> {
    const place = guess.device === undefined ? key('network', networkOf(guess.address)) : key('device', guess.device);
    const account = key(guess.kind, guess.account.normalize('NFKC').toLowerCase());
    const pair = guess.device === undefined && guess.kind !== 'login' ? account : key(account, place);
    const turn = guess.device === undefined ? account : pair;
    const keys = { account, place, pair };
    return this.#places.attempt(place, async () => {
      // Not in the account's line, where its owner may stand: a service elsewhere takes its time over a made-up answer.
      const isAsked = await this.#isSuspicious(await this.#isStranger(guess, account), keys);
      if (isAsked) await requirePerson();
      const work = async () => {
        const isStranger = await this.#isStranger(guess, account);
        if (isStranger && guess.kind === 'login') await this.#requireSpacing(keys);
        if (!isAsked && (await this.#isSuspicious(isStranger, keys))) await requirePerson();
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

  async #isSuspicious(isStranger: boolean, { account, place, pair }: Keys): Promise<boolean> {
    const failures = await (isStranger ? this.#accounts.counted(account) : this.#pairs.failures(pair));
    if (failures >= suspiciousFailures.account) return true;
    return (await this.#places.failures(place)) >= suspiciousFailures.place;
  }

  async #isUnderAttack(account: string): Promise<boolean> {
    return this.#most > 0 && (await this.#accounts.counted(account)) >= this.#most;
  }

  async #isAtHome({ isKnownAddress }: Guess, account: string): Promise<boolean> {
    if (!isKnownAddress || !(await this.#isUnderAttack(account))) return false;
    return isKnownAddress();
  }

  async #requireSpacing({ account, place, pair }: Keys): Promise<void> {
    if (!(await this.#isUnderAttack(account))) return;
    const failures = (await this.#places.failures(place)) + (await this.#pairs.failures(pair));
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

  /** Does the work of one guess, and counts it when it fails. Guesses with the same `turn` wait for each other. */
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

/** A key of several parts. No part can be written so that it is taken for two: names are what strangers type. */
const key = (...parts: readonly string[]): string => JSON.stringify(parts);

/** A place that is locked already, a bot check that is missing, or a database that is down, was no guess. */
const isGuess = (error: unknown): boolean =>
  error instanceof Refusal && error.status === 200 && !/^botCheck/.test(error.code);
