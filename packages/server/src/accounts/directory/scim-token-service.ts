import { randomBytes } from 'node:crypto';
import {
  type CreatedScimToken,
  type LogEvent,
  logType,
  maxScimTokens,
  neverExpires,
  type ScimToken,
  scimPath,
  scimTokenPrefix,
  userStatus,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashSecret } from '../../platform/secrets/secret-box.ts';
import { ignoreStorageFault } from '../../platform/storage/storage-health.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { OrganizationRow } from '../organizations/membership-service.ts';
import type { OrganizationAccess } from '../organizations/organization-access.ts';
import { permissionsOf } from '../organizations/organization-access.ts';
import { ScimError } from './scim-error.ts';
import type { FoundScimToken, ScimTokenRepository } from './scim-token-repository.ts';

const bearer = /^bearer +(\S+)$/i;
/** Characters of a token that are shown. */
const shownLength = scimTokenPrefix.length + 6;
/** Minimum interval between writes of the last use. */
const touchAfterSeconds = 60;

interface ScimTokenServiceDependencies {
  readonly access: OrganizationAccess;
  readonly scimTokens: ScimTokenRepository;
  readonly logs: LogService;
  readonly home: PublicUrl;
  readonly inTransaction: InTransaction;
}

/** SCIM tokens of organizations, managed by their owners. */
export class ScimTokenService {
  readonly #dependencies: ScimTokenServiceDependencies;

  constructor(dependencies: ScimTokenServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(actor: UserRow, id: number): Promise<ScimToken[]> {
    await this.#dependencies.access.require(actor, id, 'manage_sign_in');
    return this.#dependencies.scimTokens.of(id);
  }

  /** The other tokens remain valid for `grace` seconds. */
  create(actor: UserRow, id: number, grace: number): Promise<CreatedScimToken> {
    const { access, scimTokens, home, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'manage_sign_in');
      if (organization.sso_allowed !== 1) throw new ApiError('ssoNotAllowed');
      const rows = scimTokens.within(transaction);
      const now = nowInSeconds();
      await rows.expireAll(id, now + grace);
      await rows.removeExpired(id, now);
      if ((await rows.of(id)).length >= maxScimTokens)
        throw new ApiError('tooManyScimTokens', { limit: String(maxScimTokens) });
      const token = `${scimTokenPrefix}${randomBytes(32).toString('base64url')}`;
      const row = { prefix: token.slice(0, shownLength), created_time: now, expired_time: neverExpires };
      const inserted = await rows.insert({
        ...row,
        organization_id: id,
        creator_id: actor.id,
        key_hash: hashSecret(token),
      });
      await this.#record(transaction, organization, 'organization.scim_token_created', {
        user: actor.username,
        token: row.prefix,
      });
      return { ...row, id: inserted, used_time: 0, token, url: `${home.url ?? ''}${scimPath}` };
    });
  }

  revoke(actor: UserRow, id: number, tokenId: number): Promise<void> {
    const { access, scimTokens, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'manage_sign_in');
      const prefix = await scimTokens.within(transaction).remove(id, tokenId);
      if (prefix === undefined) throw new ApiError('notFound');
      await this.#record(transaction, organization, 'organization.scim_token_revoked', {
        user: actor.username,
        token: prefix,
      });
    });
  }

  /** ID of the organization that a directory provisions with this Authorization header. */
  async organizationOf(header: string | undefined): Promise<number> {
    const [, token] = bearer.exec(header ?? '') ?? [];
    const now = nowInSeconds();
    const found = token?.startsWith(scimTokenPrefix)
      ? await this.#dependencies.scimTokens.find(hashSecret(token), now)
      : undefined;
    if (!found || !isCreatorEntitled(found)) throw new ScimError(401, 'The SCIM token is invalid or has expired.');
    if (found.sso_allowed !== 1) throw new ScimError(403, 'SCIM is not allowed for this organization.');
    if (found.used_time < now - touchAfterSeconds)
      await this.#dependencies.scimTokens.touch(found.id, now).catch(ignoreStorageFault);
    return found.organization_id;
  }

  async #record(
    transaction: Transaction,
    { id, username }: OrganizationRow,
    event: LogEvent,
    values: { readonly user: string; readonly token: string },
  ): Promise<void> {
    await this.#dependencies.logs.record(transaction, {
      type: logType.management,
      event,
      user: { id, username },
      values,
    });
  }
}

/** A token stops working when its creator is disabled or may no longer manage the directory. */
function isCreatorEntitled({ creator_id, creator_status, creator_role, member_role }: FoundScimToken): boolean {
  // Created by an earlier version.
  if (creator_id === 0) return true;
  if (creator_status !== userStatus.enabled || creator_role === null) return false;
  return permissionsOf({ role: creator_role }, member_role ?? undefined).includes('manage_sign_in');
}
