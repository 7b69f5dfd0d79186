import { neverExpires, type Parsed, type tokenApi, tokenStatus } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { TokenRow } from './token-repository.ts';

export type TokenUpdate = Omit<Parsed<typeof tokenApi.update>['body'], 'policy'> & {
  readonly project_id?: number | undefined;
};

export type TokenCreation = Omit<Parsed<typeof tokenApi.create>['body'], 'policy'>;

/** The token that every new user gets. */
export const defaultToken: TokenCreation = {
  name: 'default',
  expired_time: neverExpires,
  remain_quota: 0,
  unlimited_quota: true,
  models: '',
  subnet: '',
  note: '',
  groups: '',
  dialects: '',
  endpoints: '',
  fixed_tags: '',
};

/** Fields whose response value differs from the stored one. */
export const responseFieldsOf = ({
  unlimited_quota,
  channels,
  tags,
  old_key_until,
  is_locked,
}: Omit<TokenRow, 'key_sealed'>) => ({
  unlimited_quota: unlimited_quota === 1,
  is_locked: is_locked === 1,
  is_bound: channels !== '' || tags !== '',
  old_key_until: old_key_until > nowInSeconds() ? old_key_until : 0,
});

export function requireToken(row: TokenRow | undefined): TokenRow {
  if (!row) throw new ApiError('notFound');
  return row;
}

/** The status, if callers can set it. */
export const allowedStatus = (status: TokenUpdate['status']) =>
  status === tokenStatus.enabled || status === tokenStatus.disabled ? status : undefined;

/** The given fields, converted to column values. */
export const toColumnValues = ({
  unlimited_quota,
  ...change
}: Omit<TokenUpdate, 'id' | 'status' | 'remain_quota_was'>) => ({
  ...change,
  ...(unlimited_quota !== undefined && { unlimited_quota: Number(unlimited_quota) }),
});
