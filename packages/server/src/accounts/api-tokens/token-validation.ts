import {
  defaultGroup,
  isTokenDialect,
  isTokenEndpoint,
  neverExpires,
  splitCommas,
  tokenStatus,
} from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import { isAddressRange } from '../../platform/runtime/address-range.ts';
import type { TokenRow } from './token-repository.ts';

export function rejectInvalidSubnet(subnet: string | undefined): void {
  const bad = splitCommas(subnet ?? '').find((part) => !isAddressRange(part));
  if (bad !== undefined) throw new ApiError('badSubnet', { part: bad });
}

export function rejectPastExpiry(expiry: number | undefined, now: number): void {
  if (expiry !== undefined && expiry !== neverExpires && expiry <= now) throw new ApiError('expiryInPast');
}

/**
 * Called after the update, so that a change that also fixes the expiry or quota is accepted; throwing rolls back the
 * transaction.
 */
export function rejectUnusableToken({ status }: Pick<TokenRow, 'status'>): void {
  if (status === tokenStatus.expired) throw new ApiError('tokenExpired');
  if (status === tokenStatus.exhausted) throw new ApiError('tokenExhausted');
}

export interface TokenOwner {
  readonly id: number;
  /** Comma-separated groups. */
  readonly group: string;
}

interface GivenScope {
  readonly groups?: string | undefined;
  readonly dialects?: string | undefined;
  readonly endpoints?: string | undefined;
}

/** Rejects groups that the user is not in, unknown dialects and unknown endpoints. */
export function rejectInvalidScope({ group }: TokenOwner, { groups, dialects, endpoints }: GivenScope): void {
  const own = splitCommas(group);
  const allowed = own.length > 0 ? own : [defaultGroup];
  const foreign = splitCommas(groups ?? '').find((name) => !allowed.includes(name));
  if (foreign !== undefined) throw new ApiError('groupNotYours', { group: foreign });
  const unknown =
    splitCommas(dialects ?? '').find((name) => !isTokenDialect(name)) ??
    splitCommas(endpoints ?? '').find((name) => !isTokenEndpoint(name));
  if (unknown !== undefined) throw new ApiError('unknownScope', { name: unknown });
}

/** Only an admin can enable a token that an admin has disabled. */
export function rejectLocked({ is_locked, lock_reason }: Pick<TokenRow, 'is_locked' | 'lock_reason'>): void {
  if (is_locked === 0) return;
  const reason = lock_reason === '' ? '' : { en: `: ${lock_reason}`, zh: `：${lock_reason}` };
  throw new ApiError('tokenLocked', { reason });
}
