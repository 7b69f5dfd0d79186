import { type AccessScope, accessScopes, accessTokenPrefix } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashSecret } from '../../platform/secrets/secret-box.ts';
import { unlessUnstorable } from '../../platform/storage/storage-fault.ts';
import type { AccessTokenRepository } from './access-token-repository.ts';
import type { UserRepository } from './user-repository.ts';

const scheme = /^Bearer\s+/i;
/** That a token is in use is written at most this often. */
const touchAfterSeconds = 60;

/** For whom a token speaks, and how much of what that user may do. */
interface Bearer {
  readonly user: UserRow;
  readonly scope: AccessScope;
}

/**
 * Tokens with which a user's own programs call this API in that user's name: one without a name that may do everything,
 * and others with a name, a scope and a time to end. All are read fresh for each call and stored as hashes.
 */
export class AccessTokenService {
  readonly #users: UserRepository;
  readonly #named: AccessTokenRepository;

  constructor(users: UserRepository, named: AccessTokenRepository) {
    this.#users = users;
    this.#named = named;
  }

  /** Whom an Authorization header speaks for: with or without the word Bearer. */
  async findByHeader(header: string): Promise<Bearer | undefined> {
    const key = header.trim().replace(scheme, '');
    if (key.startsWith(accessTokenPrefix)) return this.#findNamed(key);
    const user = await this.#users.findEnabled('access_token_hash', hashSecret(key));
    return user && { user, scope: 'all' };
  }

  async #findNamed(key: string): Promise<Bearer | undefined> {
    const now = nowInSeconds();
    const found = await this.#named.findUser(hashSecret(key), now);
    if (!found) return undefined;
    const { token_id, scope, used_time, ...user } = found;
    // A scope that this version does not know covers nothing.
    if (!isAccessScope(scope)) return undefined;
    if (used_time < now - touchAfterSeconds) await this.#named.touch(token_id, now).catch(unlessUnstorable);
    return { user, scope };
  }
}

const isAccessScope = (text: string): text is AccessScope => (accessScopes as readonly string[]).includes(text);
