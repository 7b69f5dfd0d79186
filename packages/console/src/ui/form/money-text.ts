import type { QuotaDisplay } from '@headgate/contract';
import { formatDecimals, formatNumber } from '../../lib/format/format.ts';
import { parseNumber } from '../../lib/format/read-number.ts';

/** Unit in which an amount is typed and shown. Amounts are always stored in points. */
export type MoneyUnit = 'points' | 'dollars';

/** Maximum amount that can be represented exactly. */
export const maxPoints = 1_000_000_000_000_000;

export type MoneyError =
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'too much' }
  | { readonly kind: 'too little' }
  | { readonly kind: 'ambiguous'; readonly small: number; readonly large: number };

interface ParsedMoney {
  /** NaN while the input is invalid. */
  readonly points: number | '';
  /** A $ in the input overrides the unit of the field. */
  readonly unit: MoneyUnit;
  readonly mistake?: MoneyError;
}

/** Parses a typed amount to whole points. */
export function parseMoney(typed: string, fieldUnit: MoneyUnit, perUnit: number): ParsedMoney {
  const unit = typed.includes('$') ? 'dollars' : fieldUnit;
  const text = typed.trim().replace(/^\$|\$$/, '');
  if (text.trim() === '') return { points: '', unit };
  const read = parseNumber(text);
  const invalid = (mistake: MoneyError): ParsedMoney => ({ points: Number.NaN, unit, mistake });
  if (read.mistake === 'ambiguous') return invalid({ ...read, kind: 'ambiguous' });
  if (read.mistake) return invalid({ kind: 'unreadable' });
  const points = unit === 'dollars' ? Math.round(read.value * perUnit) : Math.trunc(read.value);
  if (points > maxPoints) return invalid({ kind: 'too much' });
  if (points === 0 && read.value > 0) return invalid({ kind: 'too little' });
  return { points, unit };
}

/** Tries whole cents first, then more decimals. */
const decimals = Array.from({ length: 19 }, (_, index) => index + 2);

/** A number that cannot be misread as thousands: 1.234 is formatted as 1.2340. */
export function formatUnambiguous(value: number): string {
  const text = formatNumber(value);
  return 'mistake' in parseNumber(text) ? formatDecimals(value, 4) : text;
}

/** Formats points for a field. Parsing the result always yields the same points. */
export function formatMoneyInput(points: number | '', unit: MoneyUnit, perUnit: number): string {
  if (points === '' || Number.isNaN(points)) return '';
  if (points < 0) return `-${formatMoneyInput(-points, unit, perUnit)}`;
  const amount = unit === 'dollars' ? points / perUnit : points;
  const isSame = (text: string) => parseMoney(text, unit, perUnit).points === points;
  return candidates(amount).find(isSame) ?? String(amount);
}

/** Texts of an amount, shortest first; without separators for locales that do not group by thousands. */
function* candidates(amount: number) {
  for (const digits of Number.isInteger(amount) ? [0] : decimals) {
    yield formatDecimals(amount, digits);
    yield amount.toFixed(digits);
  }
}

/** Exact amount in the display unit, for sentences. Lists round to cents. */
export function formatAmount(points: number, { display_in_currency, quota_per_unit }: QuotaDisplay): string {
  if (!display_in_currency) return formatNumber(points);
  const text = formatMoneyInput(Math.abs(points), 'dollars', quota_per_unit);
  return `${points < 0 ? '-' : ''}$${text}`;
}
