import { redemptionStatus, stripControlCharacters } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { isDeleted, isInteger, maxQuota, readInteger, readText, readTime, truncate } from '../source/source-values.ts';
import type { MappedRow } from './map-options.ts';

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
  readonly expired_time: number;
  readonly use_count: number;
}

const maxNameLength = 100;

export function mapRedemption(row: SourceRow): MappedRow<ImportedRedemption> {
  if (isDeleted(row)) return { reason: 'was deleted in the source' };
  const key = readText(row, 'key').trim();
  if (key === '' || key.length > 200) return { reason: 'has no code' };
  const quota = readInteger(row, 'quota');
  if (!isInteger(row, 'quota')) return { reason: 'has a quota that is not a whole number' };
  if (quota < 0 || quota > maxQuota) return { reason: `has a quota of ${quota} points, which is out of range` };
  const changes: string[] = [];
  const sourceId = readInteger(row, 'id');
  const status = statusOf(row, changes);
  return {
    changes,
    row: {
      sourceId,
      key,
      creatorSourceId: readInteger(row, 'user_id'),
      redeemerSourceId: readInteger(row, 'used_user_id'),
      status,
      name: truncate(stripControlCharacters(readText(row, 'name')).trim(), maxNameLength) || `code ${sourceId}`,
      quota,
      created_time: readTime(row, 'created_time'),
      redeemed_time: readTime(row, 'redeemed_time'),
      expired_time: readTime(row, 'expired_time'),
      use_count: status === redemptionStatus.used ? 1 : 0,
    },
  };
}

function statusOf(row: SourceRow, changes: string[]): number {
  const status = readInteger(row, 'status');
  const known: readonly number[] = Object.values(redemptionStatus);
  if (known.includes(status)) return status;
  changes.push(`is disabled because its status ${status} is not usable in the source`);
  return redemptionStatus.disabled;
}
