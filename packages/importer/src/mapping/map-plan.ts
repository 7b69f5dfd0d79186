import {
  currencies,
  isCurrency,
  isTagValue,
  maxPlanDays,
  maxWindowHours,
  type PlanWindow,
  planNameLength,
  planTextLength,
  stripControlCharacters,
} from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import {
  clamp,
  isRestricted,
  maxQuota,
  readFlag,
  readInteger,
  readNumber,
  readText,
  readTime,
  truncate,
} from '../source/source-values.ts';
import type { MappedRow } from './map-options.ts';

export interface ImportedPlan {
  readonly sourceId: number;
  readonly name: string;
  readonly description: string;
  readonly currency: keyof typeof currencies;
  /** In the smallest unit of the currency; 0: not for sale. */
  readonly price: number;
  readonly days: number;
  readonly windows: readonly PlanWindow[];
  readonly upgrade_group: string;
  readonly max_per_user: number;
  readonly enabled: number;
  readonly sort: number;
  readonly created_time: number;
}

const maxPrice = 1_000_000_000;
const maxPerUser = 1000;
const maxSort = 1_000_000;
const maxGroupLength = 64;
const secondsPerHour = 3600;
const secondsPerDay = 24 * secondsPerHour;

export function mapPlan(row: SourceRow, now: number): MappedRow<ImportedPlan> {
  if (row['total_amount'] === undefined) return { reason: 'has limits per model, which plans do not have here' };
  const changes: string[] = [];
  const name = planNameOf(readText(row, 'title'), readText(row, 'id'));
  if (name !== readText(row, 'title').trim()) changes.push(`is renamed to ${JSON.stringify(name)}`);
  const upgrade_group = groupOf(row, 'upgrade_group', changes);
  const downgrade = readText(row, 'downgrade_group').trim();
  if (downgrade !== '') changes.push(`does not move its users to the group ${JSON.stringify(downgrade)} at its end`);
  if (isFalse(row, 'allow_wallet_overflow'))
    changes.push('lets its users continue with their balance when it is used up');
  return {
    changes,
    row: {
      sourceId: readInteger(row, 'id'),
      name,
      description: truncate(stripControlCharacters(readText(row, 'subtitle')).trim(), planTextLength.max),
      ...priceOf(row, changes),
      days: daysOf(row, changes),
      windows: [windowOf(row, readInteger(row, 'total_amount'), changes)],
      upgrade_group,
      max_per_user: clamp(Math.max(0, readInteger(row, 'max_purchase_per_user')), maxPerUser),
      enabled: readFlag(row, 'enabled') ? 1 : 0,
      // new-api shows the highest number first.
      sort: clamp(-readInteger(row, 'sort_order'), maxSort) + 0,
      created_time: readTime(row, 'created_at') || now,
    },
  };
}

/** A column that an earlier version does not have is not false. */
const isFalse = (row: SourceRow, column: string): boolean =>
  row[column] !== undefined && row[column] !== null && !isRestricted(row, column);

/** Name of a plan: its title without characters that names of plans cannot have. */
export function planNameOf(title: string, id: string): string {
  const plain = title
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N} ._:@/+|-]+/gu, ' ')
    .replace(/ +/g, ' ')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const short = truncate(plain, planNameLength.max).trim();
  return isTagValue(short) ? short : `Plan ${id}`;
}

export function groupOf(row: SourceRow, column: string, changes: string[]): string {
  const group = readText(row, column).trim();
  if (group.length <= maxGroupLength && !group.includes(',') && stripControlCharacters(group) === group) return group;
  changes.push(`loses ${column}, which is invalid`);
  return '';
}

function priceOf(row: SourceRow, changes: string[]): Pick<ImportedPlan, 'currency' | 'price'> {
  const code = readText(row, 'currency').trim().toLowerCase() || 'usd';
  if (!isCurrency(code)) {
    changes.push(`is not for sale, because the currency ${JSON.stringify(truncate(code, 8))} is not supported`);
    return { currency: 'usd', price: 0 };
  }
  const given = readNumber(row, 'price_amount');
  const price = Math.round(given * 10 ** currencies[code]);
  if (price >= 0 && price <= maxPrice) return { currency: code, price };
  changes.push('is not for sale, because its price is out of range');
  return { currency: code, price: 0 };
}

const daysOfUnit: Readonly<Record<string, number>> = { year: 365, month: 30, day: 1, hour: 1 / 24 };

/** Plans are valid for whole days, rounded up. */
function daysOf(row: SourceRow, changes: string[]): number {
  const unit = readText(row, 'duration_unit').trim();
  const value = readInteger(row, 'duration_value');
  const custom = readInteger(row, 'custom_seconds');
  const exact = unit === 'custom' ? custom / secondsPerDay : value * (daysOfUnit[unit] ?? 0);
  const days = Math.min(Math.max(1, Math.ceil(exact)), maxPlanDays);
  const given = unit === 'custom' ? `${custom} seconds` : `${value} ${truncate(unit, 20)}`;
  if (days !== exact || unit === 'month' || unit === 'year') changes.push(`is valid for ${days} days (${given})`);
  return days;
}

const calendarPeriods: Readonly<Record<string, PlanWindow['period']>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
};

/** The window of a plan of the source, which has one amount and one reset period. */
export function windowOf(row: SourceRow, given: number, changes: string[]): PlanWindow {
  const amount = given > 0 ? Math.min(given, maxQuota) : maxQuota;
  if (amount !== given) changes.push(`has a limit of ${amount} points, the maximum`);
  const reset = readText(row, 'quota_reset_period').trim();
  const period = calendarPeriods[reset];
  if (period) return { period, hours: 0, amount };
  const seconds = readInteger(row, 'quota_reset_custom_seconds');
  if (reset !== 'custom' || seconds <= 0) return { period: 'all', hours: 0, amount };
  const hours = Math.min(Math.max(1, Math.round(seconds / secondsPerHour)), maxWindowHours);
  if (hours * secondsPerHour !== seconds) changes.push(`resets every ${hours} hours instead of ${seconds} seconds`);
  return { period: 'hours', hours, amount };
}
