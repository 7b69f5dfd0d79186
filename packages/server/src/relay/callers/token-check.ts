import {
  hasOrganizationPermission,
  isAdmin,
  neverExpires,
  projectStatus,
  tokenKeyPrefix,
  tokenStatus,
  userStatus,
} from '@headgate/contract';
import { RelayError, shortenName } from '@headgate/relay';
import { isImportableKey, isTokenKey } from '../../accounts/api-tokens/token-key.ts';
import type { JwtIdentity } from '../jwt/jwt-verifier.ts';
import type { TokenEntry, UsableEntry } from './caller-entry.ts';
import type { CallerTokenRow } from './caller-repository.ts';

export interface Credentials {
  /** Without the prefix. */
  readonly key: string;
  /** Pinned channel, if the key has a channel suffix. */
  readonly channel: number | undefined;
  /** The key as presented, if its format allows that only the hash was imported. */
  readonly presented: string | undefined;
  /** True if Headgate could have created the key. */
  readonly isOwnFormat: boolean;
  /** True if the key is the JWT of an identity provider. */
  readonly isJwt?: true;
  /** The verified JWT. */
  readonly identity?: JwtIdentity;
}

/** Three base64url parts, of which the first begins with `{"`. Longer JWTs are not accepted. */
const isJwt = (text: string): boolean => text.length <= maxJwtLength && /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(text);
const maxJwtLength = 8192;

/** Parses `Bearer sk-…` or a JWT. Both prefixes are optional; a number after a dash pins a channel. */
export function readCredentials(authorization: string | undefined): Credentials {
  const text = (authorization ?? '').replace(/^Bearer\s+/i, '').trim();
  const given = text.startsWith(tokenKeyPrefix) ? text.slice(tokenKeyPrefix.length) : text;
  if (given === '') throw unauthorised('No API token was provided', 'invalid_api_key');
  const [key = '', pinned, ...more] = given.includes('-') ? given.split('-', 3) : [given];
  const isPinned = pinned !== undefined;
  const presented = isImportableKey(text) ? text : undefined;
  if (isTokenKey(key) && (!isPinned || channelNumber.test(pinned)) && more.length === 0) {
    if (isPinned) return { key, channel: Number(pinned), presented: undefined, isOwnFormat: true };
    return { key, channel: undefined, presented, isOwnFormat: true };
  }
  if (isJwt(text)) return { key: text, channel: undefined, presented: undefined, isOwnFormat: false, isJwt: true };
  // A malformed key is rejected without a lookup.
  if (presented === undefined) throw invalidToken();
  return { key: given, channel: undefined, presented, isOwnFormat: false };
}

const channelNumber = /^[1-9]\d{0,14}$/;

interface TokenRules {
  /** Unix seconds. */
  readonly now: number;
  /** True if admins need a second factor for admin-only features. */
  readonly demandsSecondFactor: boolean;
}

/** Returns the token entry if it may be used now. Uses only cached data. */
export function checkToken(
  found: TokenEntry | undefined,
  { channel, identity }: Credentials,
  addressOf: () => string,
  { now, demandsSecondFactor }: TokenRules,
): UsableEntry {
  const entry = requireUsable(found, now);
  if (identity) requireIdentity(entry, identity);
  const { user, admits } = entry;
  if (admits && !admits(addressOf()))
    throw forbidden('This API token is not allowed from your IP address', 'address_not_allowed');
  if (user.facts.status !== userStatus.enabled) throw forbidden('This account is banned', 'account_banned');
  if (channel !== undefined && !isAdmin(user.facts))
    throw forbidden('Only admins can select a channel', 'channel_not_allowed');
  if (channel !== undefined && demandsSecondFactor && user.facts.second_factor === 0)
    throw forbidden('Set up two-step login to select a channel as an admin', 'second_factor_required');
  return entry;
}

function requireUsable(entry: TokenEntry | undefined, now: number): UsableEntry {
  const facts = entry?.facts;
  if (!entry || !facts) throw invalidToken();
  if (facts.status === tokenStatus.disabled) throw unauthorised('This API token is disabled', 'token_disabled');
  requireMembership(facts);
  const isExpired = facts.expired_time !== neverExpires && facts.expired_time <= now;
  if (isExpired) throw unauthorised('This API token has expired', 'token_expired');
  const isUsedUp = facts.unlimited_quota === 0 && entry.account.balance <= 0 && entry.share.elsewhere === 0;
  if (isUsedUp) throw unauthorised('The quota of this API token is used up', 'token_exhausted');
  return entry as UsableEntry;
}

/** A JWT may use only tokens of service accounts of its organization. */
function requireIdentity({ facts }: UsableEntry, identity: JwtIdentity): void {
  if (facts.user_id !== identity.organizationId || facts.service_account_id === 0) throw invalidToken();
  if (!identity.isValid()) throw unauthorised('The JWT has expired, or its issuer was changed', 'token_expired');
}

/**
 * A token of an organization stops working when its member leaves, gets a role without tokens, is banned or may not use
 * tokens, or when its project is disabled.
 */
function requireMembership(facts: CallerTokenRow): void {
  const { creator_id, project_id, project_status } = facts;
  if (creator_id !== 0) requireMember(facts);
  if (project_id !== 0 && project_status !== projectStatus.enabled)
    throw forbidden('The project of this API token is disabled', 'project_disabled');
}

function requireMember({ member_role, creator_status, creator_locked }: CallerTokenRow): void {
  if (member_role === null)
    throw unauthorised('The member of this API token has left the organization', 'token_disabled');
  if (!hasOrganizationPermission(member_role, 'use_tokens'))
    throw unauthorised('The role of the member of this API token does not include API tokens', 'token_disabled');
  if (creator_locked === 1) throw unauthorised('An admin has disabled the API tokens of the member', 'token_disabled');
  if (creator_status !== userStatus.enabled)
    throw forbidden('The member of this API token is banned', 'account_banned');
}

/** Exact and case-sensitive, so that look-alike model names do not match. */
export function requireModel(entry: TokenEntry, model: string): void {
  if (entry.models && !entry.models.has(model)) throw modelNotAllowed(model);
}

export const modelNotAllowed = (model: string) =>
  forbidden(`This API token is not allowed to use model ${shortenName(model)}`, 'model_not_allowed');

const unauthorised = (message: string, code: string) => new RelayError(401, message, code, 'invalid_request_error');

const invalidToken = () => unauthorised('Invalid API token', 'invalid_api_key');

const forbidden = (message: string, code: string) => new RelayError(403, message, code);
