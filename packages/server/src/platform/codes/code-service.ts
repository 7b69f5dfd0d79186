import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { mailCooldownSeconds } from '@headgate/contract';
import type { Transaction } from '../db/transaction.ts';
import { ApiError } from '../errors/api-error.ts';
import { nowInSeconds } from '../runtime/clock.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { CodeRepository } from './code-repository.ts';

const codeLifetimeSeconds = 600;

/** Without look-alike characters. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/**
 * Codes emailed to an address to prove that the recipient owns it. A code is typed and therefore short, so few guesses
 * are allowed. A token cannot be guessed, so its attempts are not counted: otherwise others could invalidate the
 * owner's link.
 */
const purposes = {
  registration: {
    make: () => Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join(''),
    read: (given: string) => given.trim().toUpperCase(),
    maxAttempts: 5,
  },
  reset: {
    make: () => randomBytes(32).toString('base64url'),
    read: (given: string) => given,
    maxAttempts: 1_000_000,
  },
} as const;

export type CodePurpose = keyof typeof purposes;

/** Codes are stored in the database for all nodes, only as a hash keyed with the gateway's secret. */
export class CodeService {
  readonly #codes: CodeRepository;
  readonly #box: SecretBox;

  constructor(codes: CodeRepository, box: SecretBox) {
    this.#codes = codes;
    this.#box = box;
  }

  /** Issues a code and invalidates an older one for the same purpose; rejected if the older one is too recent. */
  async issue(purpose: CodePurpose, address: string): Promise<string> {
    const now = nowInSeconds();
    await this.#codes.removeExpired(now);
    const code = purposes[purpose].make();
    const row = { purpose, address, code_hash: this.#hash(purpose, address, code), attempts: 0 };
    const expires_time = now + codeLifetimeSeconds;
    if (await this.#codes.replace({ ...row, expires_time }, expires_time - mailCooldownSeconds)) return code;
    throw new ApiError('tooManyRequests', { seconds: String(mailCooldownSeconds) });
  }

  /** Compares a code; every call counts as an attempt. */
  async verify(purpose: CodePurpose, address: string, given: string): Promise<boolean> {
    const limits = { now: nowInSeconds(), most: purposes[purpose].maxAttempts };
    const stored = await this.#codes.attempt(purpose, address, limits);
    const actual = Buffer.from(this.#hash(purpose, address, given));
    return stored !== undefined && timingSafeEqual(Buffer.from(stored), actual);
  }

  /** Consumes the code in the transaction it authorizes; false if it was already consumed. */
  consume(transaction: Transaction, purpose: CodePurpose, address: string, given: string): Promise<boolean> {
    const code_hash = this.#hash(purpose, address, given);
    return this.#codes.within(transaction).remove({ purpose, address, code_hash });
  }

  #hash(purpose: CodePurpose, address: string, given: string): string {
    return this.#box.fingerprint(`${purpose}\n${address}\n${purposes[purpose].read(given)}`);
  }
}
