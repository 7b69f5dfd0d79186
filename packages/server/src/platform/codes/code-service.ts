import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { mailCooldownSeconds } from '@headgate/contract';
import type { Transaction } from '../db/transaction.ts';
import { Refusal } from '../errors/refusal.ts';
import { nowInSeconds } from '../runtime/clock.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { CodeRepository } from './code-repository.ts';

const codeLifetimeSeconds = 600;

/** Without characters that look alike. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/**
 * What is mailed to an address and proves that its owner read it. A code is typed and therefore short, so that few
 * guesses are allowed; a token cannot be guessed, and counting would only let strangers spoil the owner's link.
 */
const purposes = {
  registration: {
    make: () => Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join(''),
    read: (given: string) => given.trim().toUpperCase(),
    mostAttempts: 5,
  },
  reset: {
    make: () => randomBytes(32).toString('base64url'),
    read: (given: string) => given,
    mostAttempts: 1_000_000,
  },
} as const;

export type Purpose = keyof typeof purposes;

/** Codes are in the database, so that any node knows them, and only as a hash that needs the gateway's key. */
export class CodeService {
  readonly #codes: CodeRepository;
  readonly #box: SecretBox;

  constructor(codes: CodeRepository, box: SecretBox) {
    this.#codes = codes;
    this.#box = box;
  }

  /** A new code, which makes an older one for the same worthless; refused when that one was made just now. */
  async issue(purpose: Purpose, address: string): Promise<string> {
    const now = nowInSeconds();
    await this.#codes.removeExpired(now);
    const code = purposes[purpose].make();
    const row = { purpose, address, code_hash: this.#hash(purpose, address, code), attempts: 0 };
    const expires_time = now + codeLifetimeSeconds;
    if (await this.#codes.replace({ ...row, expires_time }, expires_time - mailCooldownSeconds)) return code;
    throw new Refusal('tooManyRequests', { seconds: String(mailCooldownSeconds) });
  }

  /** Whether this is the code; every question counts as an attempt. */
  async verify(purpose: Purpose, address: string, given: string): Promise<boolean> {
    const limits = { now: nowInSeconds(), most: purposes[purpose].mostAttempts };
    const stored = await this.#codes.attempt(purpose, address, limits);
    const actual = Buffer.from(this.#hash(purpose, address, given));
    return stored !== undefined && timingSafeEqual(Buffer.from(stored), actual);
  }

  /** Uses the code up together with what it opens; false when somebody else has just done so. */
  consume(transaction: Transaction, purpose: Purpose, address: string, given: string): Promise<boolean> {
    const code_hash = this.#hash(purpose, address, given);
    return this.#codes.within(transaction).remove({ purpose, address, code_hash });
  }

  #hash(purpose: Purpose, address: string, given: string): string {
    return this.#box.fingerprint(`${purpose}\n${address}\n${purposes[purpose].read(given)}`);
  }
}
