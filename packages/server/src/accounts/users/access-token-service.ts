import { type AccessScope, accessScopes, accessTokenPrefix } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashSecret } from '../../platform/secrets/secret-box.ts';
import { ignoreStorageFault } from '../../platform/storage/storage-health.ts';
import type { AccessTokenRepository } from './access-token-repository.ts';
import type { UserRepository } from './user-repository.ts';

const scheme = /^Bearer\s+/i;
/** Minimum interval between writes of the last use. */
const touchAfterSeconds = 60;

/** The user of an access token and its scope. */
interface Bearer {
  readonly user: UserRow;
  readonly scope: AccessScope;
}

/**
 * Access tokens with which a user's programs call the management API: one unnamed token with full access, and named
 * tokens with a scope and an expiry. Stored as hashes and read from the database for each request.
 */
export class AccessTokenService {
  readonly #users: UserRepository;
  readonly #named: AccessTokenRepository;

  constructor(users: UserRepository, named: AccessTokenRepository) {
    this.#users = users;
    this.#named = named;
  }

  /** Accepts the Authorization header with or without "Bearer". */
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
    // A scope unknown to this version grants nothing.
    if (!isAccessScope(scope)) return undefined;
    if (used_time < now - touchAfterSeconds) await this.#named.touch(token_id, now).catch(ignoreStorageFault);
    return { user, scope };
  }
}

const isAccessScope = (text: string): text is AccessScope => (accessScopes as readonly string[]).includes(text);
