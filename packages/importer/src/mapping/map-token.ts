import { neverExpires, splitCommas, stripControlCharacters, tokenKeyPrefix, tokenStatus } from '@headgate/contract';
import type { SourceKind, SourceRow } from '../source/source.ts';
import {
  clamp,
  importNotes,
  isDeleted,
  isInteger,
  isRestricted,
  maxQuota,
  maxTime,
  readFlag,
  readInteger,
  readText,
  readTime,
  truncate,
} from '../source/source-values.ts';
import type { TargetRules } from '../target.ts';
import type { MappedRow, SkippedRow } from './map-options.ts';
import type { TokenScope } from './token-groups.ts';

export interface ImportedToken {
  readonly sourceId: number;
  readonly userSourceId: number;
  /** Plain text, without the prefix; empty if only the hash is known. */
  readonly key: string;
  /** Hash by which the token is looked up. */
  readonly keyHash: string;
  readonly status: number;
  readonly name: string;
  readonly created_time: number;
  readonly accessed_time: number;
  readonly expired_time: number;
  readonly remain_quota: number;
  readonly unlimited_quota: number;
  readonly used_quota: number;
  readonly models: string;
  readonly subnet: string;
  readonly groups: string;
}

interface TokenContext {
  readonly kind: SourceKind;
  readonly now: number;
  readonly scope: TokenScope;
  readonly rules: Pick<TargetRules, 'isTokenKey' | 'isAddressRange' | 'hashSecret'>;
}

const maxNameLength = 100;
const maxModelsLength = 100_000;
const maxSubnetLength = 4000;

export function mapToken(row: SourceRow, { kind, now, scope, rules }: TokenContext): MappedRow<ImportedToken> {
  if (isDeleted(row)) return { reason: 'was deleted in the source' };
  const secret = kind === 'litellm' ? hashedKeyOf(row) : keyOf(row, rules);
  if ('reason' in secret) return secret;
  const changes = importNotes(row);
  const limits = toLimits(row, changes);
  const { models, subnet, isDisabled } = restrictionsOf(row, { kind, rules }, changes);
  if (scope.change !== undefined) changes.push(scope.change);
  const isUsable = isUsableInSource(row, limits, now, changes) && !isDisabled && scope.isDisabled !== true;
  const sourceId = readInteger(row, 'id');
  return {
    changes,
    row: {
      sourceId,
      userSourceId: readInteger(row, 'user_id'),
      ...secret,
      status: isUsable ? tokenStatus.enabled : tokenStatus.disabled,
      name: truncate(stripControlCharacters(readText(row, 'name')).trim(), maxNameLength) || `token ${sourceId}`,
      created_time: readTime(row, 'created_time'),
      accessed_time: readTime(row, 'accessed_time'),
      ...limits,
      models,
      subnet,
      groups: scope.groups,
    },
  };
}

type Secret = Pick<ImportedToken, 'key' | 'keyHash'>;

function keyOf(row: SourceRow, rules: TokenContext['rules']): Secret | SkippedRow {
  const given = readText(row, 'key').trim();
  const key = given.startsWith(tokenKeyPrefix) ? given.slice(tokenKeyPrefix.length) : given;
  if (rules.isTokenKey(key)) return { key, keyHash: rules.hashSecret(key) };
  return { reason: 'has a key that is not 32 to 64 letters and digits: create a new token' };
}

/** Only the SHA-256 of the whole key is known. */
function hashedKeyOf(row: SourceRow): Secret | SkippedRow {
  const given = readText(row, 'key_hash');
  if (/^[0-9a-f]{64}$/.test(given)) return { key: '', keyHash: given };
  return { reason: 'has no SHA-256 of a key: create a new token' };
}

type Limits = Pick<ImportedToken, 'expired_time' | 'remain_quota' | 'unlimited_quota' | 'used_quota'>;

function toLimits(row: SourceRow, changes: string[]): Limits {
  const [remaining, used, expiry] = [
    readInteger(row, 'remain_quota'),
    readInteger(row, 'used_quota'),
    readInteger(row, 'expired_time'),
  ];
  const remain_quota = clamp(remaining, maxQuota);
  const unlimited_quota = readFlag(row, 'unlimited_quota') ? 1 : 0;
  if (remain_quota !== remaining && unlimited_quota === 0)
    changes.push(`has a quota of ${remain_quota} points, the maximum`);
  else if (!isInteger(row, 'remain_quota'))
    changes.push(`has a quota of ${remain_quota} points, because the source value is not a whole number`);
  // Any negative value other than `neverExpires` means expired.
  const expired_time = expiry === neverExpires ? expiry : Math.min(Math.max(expiry, 0), maxTime);
  return { expired_time, remain_quota, unlimited_quota, used_quota: Math.max(0, clamp(used, maxQuota)) };
}

/**
 * In the source, an expired or exhausted token stays disabled until an admin enables it. In this gateway, only its
 * limits count.
 */
function isUsableInSource(row: SourceRow, limits: Limits, now: number, changes: string[]): boolean {
  const status = readInteger(row, 'status');
  if (status === tokenStatus.enabled) return true;
  if (status === tokenStatus.disabled) return false;
  const { expired_time, remain_quota, unlimited_quota } = limits;
  const isExpired = expired_time !== neverExpires && expired_time <= now;
  const isExhausted = unlimited_quota === 0 && remain_quota <= 0;
  if (status === tokenStatus.expired && isExpired) return true;
  if (status === tokenStatus.exhausted && isExhausted) return true;
  changes.push(`is disabled because its status ${status} is not usable in the source`);
  return false;
}

interface TokenRestrictions {
  readonly models: string;
  readonly subnet: string;
  /** True if the token would have more access in this gateway than in the source. */
  readonly isDisabled: boolean;
}

function restrictionsOf(
  row: SourceRow,
  { kind, rules }: Pick<TokenContext, 'kind' | 'rules'>,
  changes: string[],
): TokenRestrictions {
  const narrowed = [readModels(row, kind), subnetsOf(row, { kind, rules })] as const;
  const faults = narrowed.flatMap(({ fault }) => fault ?? []);
  for (const fault of faults) changes.push(`is disabled because it ${fault}`);
  const [models, subnet] = narrowed;
  return { models: models.list, subnet: subnet.list, isDisabled: faults.length > 0 };
}

/** A token restriction. `fault` is set if it cannot be imported. */
interface Restriction {
  readonly list: string;
  readonly fault?: string;
}

function readModels(row: SourceRow, kind: SourceKind): Restriction {
  const named = readText(row, kind === 'new-api' ? 'model_limits' : 'models');
  // In One API, any non-empty list restricts the token, even one without a model.
  if (!(kind === 'new-api' ? isRestricted(row, 'model_limits_enabled') : named !== '')) return { list: '' };
  const list = splitCommas(named).join(',');
  if (list === '') return { list, fault: 'allows no model' };
  return list.length > maxModelsLength ? { list: '', fault: 'has a model list that is too long' } : { list };
}

function subnetsOf(row: SourceRow, { kind, rules }: Pick<TokenContext, 'kind' | 'rules'>): Restriction {
  const named = readText(row, kind === 'new-api' ? 'allow_ips' : 'subnet');
  const places = splitCommas(kind === 'new-api' ? named.replace(/[\r\n]+/g, ',') : named);
  const odd = places.find((place) => !rules.isAddressRange(place));
  if (odd !== undefined)
    return {
      list: '',
      fault: `is restricted to ${JSON.stringify(truncate(odd, 50))}, which is not an IP address or network`,
    };
  const list = places.join(',');
  if (kind === 'one-api' && named !== '' && list === '') return { list, fault: 'allows no IP address' };
  if (list.length <= maxSubnetLength) return { list };
  return { list: '', fault: 'has an IP address list that is too long' };
}
