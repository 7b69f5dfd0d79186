import { randomBytes } from 'node:crypto';
import type { UserRow } from '../db/rows.ts';
import { hashSecret } from '../secrets/secret-box.ts';
import type { UserRepository } from './user-repository.ts';

const scheme = /^Bearer\s+/i;

/** The token with which a user's own programs call this API in that user's name. */
export class AccessTokenService {
  readonly #users: UserRepository;

  constructor(users: UserRepository) {
    this.#users = users;
  }

  /** A new one each time; it is not stored and cannot be shown again, and the one before opens nothing. */
  async make(userId: number): Promise<string> {
    const token = randomBytes(32).toString('hex');
    await this.#users.updateUnlessTaken(userId, { access_token_hash: hashSecret(token) });
    return token;
  }

  /** The user an Authorization header speaks for, read fresh: with or without the word Bearer. */
  findByHeader(header: string): Promise<UserRow | undefined> {
    return this.#users.findEnabled('access_token_hash', hashSecret(header.trim().replace(scheme, '')));
  }
}
