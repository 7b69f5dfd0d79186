import { randomInt } from 'node:crypto';
import { logType, secondFactorMessage, userStatus } from '@headgate/contract';
import { Secret, TOTP } from 'otpauth';
import type { RequestSession } from '../../http/handlers.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { LoginLimits } from '../../platform/rate-limits/login-limits.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { TicketService } from '../../platform/tickets/ticket-service.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import { mustSetUpSecondFactor } from '../users/user-authority.ts';
import type { UserService } from '../users/user-service.ts';
import type { SecondFactorRepository } from './second-factor-repository.ts';

interface SecondFactorServiceDependencies {
  readonly factors: SecondFactorRepository;
  readonly users: UserService;
  readonly tickets: TicketService;
  readonly limits: LoginLimits;
  readonly options: OptionService;
  readonly logs: LogService;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
}

const period = 30;
/** Accepted clock drift of the phone, in periods. */
const window = 1;
const backupCodeCount = 10;
/** Alphabet without characters that look alike. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

type Admission = { readonly message: string; readonly data?: UserRow; readonly ticket?: string };

/** TOTP codes, required after every other sign-in method except passkeys. */
export class SecondFactorService {
  readonly #dependencies: SecondFactorServiceDependencies;

  constructor(dependencies: SecondFactorServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Signs in an authenticated user, or returns a ticket when a code is required. */
  async admit(user: UserRow, session: RequestSession): Promise<Admission> {
    if (user.second_factor === 0) {
      await session.start(user.id);
      return { message: '', data: user };
    }
    const browser = session.rememberBrowser();
    const ticket = await this.#dependencies.tickets.issue({ purpose: 'second', browser, userId: user.id, detail: {} });
    return { message: secondFactorMessage, ticket };
  }

  /** Completes the login of this ticket. */
  async finish(given: { ticket: string; code: string }, address: string, session: RequestSession): Promise<UserRow> {
    const browser = session.browser();
    const { tickets, limits, users } = this.#dependencies;
    const userId = await tickets.ownerOf('second', given.ticket, browser);
    if (userId === undefined) throw new ApiError('signInStateInvalid');
    const device = session.knownDevice(userId);
    await limits.attempt({ ...guessOf(userId, address), device }, () => this.#requireCode(userId, given.code));
    const [ticket, user] = [await tickets.redeem('second', given.ticket, browser), await users.find(userId)];
    if (!ticket || user?.status !== userStatus.enabled) throw new ApiError('signInStateInvalid');
    return user;
  }

  async status(user: UserRow) {
    return {
      isOn: user.second_factor === 1,
      backupCodes: await this.#dependencies.factors.countBackupCodes(user.id),
      isRequired: this.isMissing({ ...user, second_factor: 0 }),
    };
  }

  /** True for an admin who must set up a second factor and has not. */
  isMissing(user: UserRow): boolean {
    return mustSetUpSecondFactor(user, this.#dependencies.options.values);
  }

  /** Creates a secret that takes effect once confirmed; an active one stays in use. */
  async begin(user: UserRow): Promise<{ secret: string; uri: string }> {
    if (user.second_factor === 1) throw new ApiError('secondFactorIsOn');
    const { factors, box, options } = this.#dependencies;
    const secret = new Secret({ size: 20 });
    await factors.store({ user_id: user.id, secret_sealed: box.seal(secret.base32), last_step: 0 });
    const issuer = options.values.SystemName.replaceAll(':', '');
    const uri = new TOTP({ secret, issuer, label: user.username, period, digits: 6, algorithm: 'SHA1' }).toString();
    return { secret: secret.base32, uri };
  }

  confirm(user: UserRow, code: string, address: string): Promise<readonly string[]> {
    if (user.second_factor === 1) throw new ApiError('secondFactorIsOn');
    return this.#withCode(user, code, address, async (transaction) => {
      await this.#dependencies.users.setSecondFactor(transaction, user, true);
      await this.#record(transaction, user, 'user.second_factor_on');
      return this.#newBackupCodes(transaction, user.id);
    });
  }

  renewBackupCodes(user: UserRow, code: string, address: string): Promise<readonly string[]> {
    this.#requireOn(user);
    return this.#withCode(user, code, address, (transaction) => this.#newBackupCodes(transaction, user.id));
  }

  async remove(user: UserRow, code: string, address: string): Promise<void> {
    this.#requireOn(user);
    await this.#withCode(user, code, address, async (transaction) => {
      await this.removeWithoutCode(transaction, user);
      await this.#record(transaction, user, 'user.second_factor_off');
    });
  }

  /** Returns whether the second factor was enabled; requires no code. */
  async removeWithoutCode(transaction: Transaction, user: UserRow): Promise<boolean> {
    await this.#dependencies.users.setSecondFactor(transaction, user, false);
    await this.#dependencies.factors.within(transaction).remove(user.id);
    return user.second_factor === 1;
  }

  /** Consumes the code or throws. */
  async check({ id }: UserRow, code: string, address: string): Promise<void> {
    await this.#dependencies.limits.attempt(guessOf(id, address), () => this.#requireCode(id, code));
  }

  #requireOn(user: UserRow): void {
    if (user.second_factor === 0) throw new ApiError('secondFactorIsOff');
  }

  async #withCode<T>(
    user: UserRow,
    code: string,
    address: string,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    await this.check(user, code, address);
    return this.#dependencies.inTransaction(work);
  }

  /** Each code is accepted once. */
  async #requireCode(userId: number, given: string): Promise<void> {
    const { factors, box } = this.#dependencies;
    const stored = await factors.find(userId);
    const token = given.replace(/\s/g, '');
    if (!stored) throw new ApiError('wrongSecondFactor');
    if (/^\d{6}$/.test(token)) {
      const totp = new TOTP({ secret: Secret.fromBase32(box.open(stored.secret_sealed)), period, digits: 6 });
      const delta = totp.validate({ token, window, timestamp: nowInSeconds() * 1000 });
      const step = Math.floor(nowInSeconds() / period) + (delta ?? 0);
      if (delta !== null && (await factors.useStep(userId, step))) return;
    } else if (await factors.useBackupCode(userId, this.#hash(userId, token))) {
      return;
    }
    throw new ApiError('wrongSecondFactor');
  }

  async #newBackupCodes(transaction: Transaction, userId: number): Promise<readonly string[]> {
    const codes = Array.from({ length: backupCodeCount }, () => `${randomText(5)}-${randomText(5)}`);
    const hashes = codes.map((code) => this.#hash(userId, code));
    await this.#dependencies.factors.within(transaction).replaceBackupCodes(userId, hashes);
    return codes;
  }

  #hash(userId: number, code: string): string {
    return this.#dependencies.box.fingerprint(`backup code\n${userId}\n${code.replace(/-/g, '').toUpperCase()}`);
  }

  async #record(transaction: Transaction, user: UserRow, event: 'user.second_factor_on' | 'user.second_factor_off') {
    const values = { user: user.username };
    await this.#dependencies.logs.record(transaction, { type: logType.system, event, user, values });
  }
}

const guessOf = (userId: number, address: string) =>
  ({ kind: 'second factor', account: String(userId), address }) as const;

const randomText = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
