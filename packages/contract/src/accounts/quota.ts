import { maxListedNameLength } from '../catalog/limits.ts';

const units = [
  { above: 1e9, per: 1e9, suffix: 'B' },
  { above: 1e6, per: 1e6, suffix: 'M' },
  { above: 1e4, per: 1e3, suffix: 'k' },
] as const;

/** Shortens 10,001 to 10.0k, 1,500,000 to 1.5M and 2e9 to 2.0B. Numbers up to 10,000 are unchanged. */
export function shortenNumber(value: number): string {
  const unit = units.find(({ above }) => Math.abs(value) > above);
  return unit ? `${(value / unit.per).toFixed(1)}${unit.suffix}` : String(value);
}

export interface QuotaDisplay {
  readonly display_in_currency: boolean;
  readonly quota_per_unit: number;
}

/** Formats a quota: in dollars if the gateway shows currency, otherwise as a shortened number of points. */
export function formatQuota(quota: number, display: QuotaDisplay, digits = 2): string {
  if (!display.display_in_currency) return shortenNumber(quota);
  const amount = (quota / display.quota_per_unit).toFixed(digits);
  return Number(amount) < 0 ? `-$${amount.slice(1)}` : `$${amount.replace('-', '')}`;
}

/** Truncates to the given length including the ellipsis. Counts characters, not code units. */
export function truncateName(name: string, length: number = maxListedNameLength): string {
  const characters = [...name];
  return characters.length <= length ? name : `${characters.slice(0, length - 1).join('')}…`;
}
