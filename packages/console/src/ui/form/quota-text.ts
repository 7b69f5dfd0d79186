import { formatNumber } from '../../lib/format/format.ts';
import { parseNumber } from '../../lib/format/read-number.ts';

/** Unit in which a quota is typed. */
export type QuotaUnit = 'points' | 'dollars';

/** Upper bound that stays exact. */
export const maxPoints = 1_000_000_000_000_000;

export type QuotaError =
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'too much' }
  | { readonly kind: 'ambiguous'; readonly small: number; readonly large: number };

interface ParsedQuota {
  /** NaN while the input is invalid. */
  readonly points: number | '';
  /** A $ in the input overrides the selected unit. */
  readonly unit: QuotaUnit;
  readonly mistake?: QuotaError;
}

/** Parses quota input to whole points. */
export function parseQuota(typed: string, chosen: QuotaUnit, perUnit: number): ParsedQuota {
  const unit = typed.includes('$') ? 'dollars' : chosen;
  const text = typed.trim().replace(/^\$|\$$/, '');
  if (text.trim() === '') return { points: '', unit };
  const read = parseNumber(text);
  if (read.mistake === 'ambiguous')
    return { points: Number.NaN, unit, mistake: { ...read, kind: 'ambiguous' as const } };
  if (read.mistake) return { points: Number.NaN, unit, mistake: { kind: 'unreadable' } };
  const points = unit === 'dollars' ? Math.round(read.value * perUnit) : Math.trunc(read.value);
  return points > maxPoints ? { points: Number.NaN, unit, mistake: { kind: 'too much' } } : { points, unit };
}

/** Formats points for the field while it is not being edited. */
export const formatQuotaInput = (points: number | '', unit: QuotaUnit, perUnit: number): string =>
  points === '' ? '' : formatNumber(unit === 'dollars' ? points / perUnit : points);
