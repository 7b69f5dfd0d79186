import { redemptionStatus, withoutControls } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { integerOf, isDeleted, isInteger, maxQuota, textOf, timeOf, truncate } from '../source/source-values.ts';
import type { Outcome } from './map-options.ts';

export interface ImportedRedemption {
  readonly sourceId: number;
  readonly key: string;
  readonly creatorSourceId: number;
  /** 0 if unused or unknown. */
  readonly redeemerSourceId: number;
  readonly status: number;
  readonly name: string;
  readonly quota: number;
  readonly created_time: number;
  readonly redeemed_time: number;
}

const maxNameLength = 100;

export function mapRedemption(row: SourceRow, now: number): Outcome<ImportedRedemption> {
  if (isDeleted(row)) return { reason: 'was deleted in the source' };
  const key = textOf(row, 'key').trim();
  if (key === '' || key.length > 200) return { reason: 'has no code' };
  const quota = integerOf(row, 'quota');
  if (!isInteger(row, 'quota')) return { reason: 'has a quota that is not a whole number' };
  if (quota < 0 || quota > maxQuota) return { reason: `has a quota of ${quota} points, which is out of range` };
  const changes: string[] = [];
  const sourceId = integerOf(row, 'id');
  return {
    changes,
    row: {
      sourceId,
      key,
      creatorSourceId: integerOf(row, 'user_id'),
      redeemerSourceId: integerOf(row, 'used_user_id'),
      status: statusOf(row, now, changes),
      name: truncate(withoutControls(textOf(row, 'name')).trim(), maxNameLength) || `code ${sourceId}`,
      quota,
      created_time: timeOf(row, 'created_time'),
      redeemed_time: timeOf(row, 'redeemed_time'),
    },
  };
}

function statusOf(row: SourceRow, now: number, changes: string[]): number {
  const status = integerOf(row, 'status');
  if (status === redemptionStatus.used || status === redemptionStatus.disabled) return status;
  const expiry = integerOf(row, 'expired_time');
  if (status !== redemptionStatus.unused)
    changes.push(`is disabled because its status ${status} is not usable in the source`);
  else if (expiry > 0 && expiry <= now) changes.push('is disabled because it has expired');
  else {
    if (expiry > 0) changes.push(`no longer expires; in the source it would on ${dayOf(expiry)}`);
    return status;
  }
  return redemptionStatus.disabled;
}

const maxDay = 8_640_000_000_000;
const dayOf = (time: number): string => new Date(Math.min(time, maxDay) * 1000).toISOString().slice(0, 10);
