import { shownNameLength } from '../catalog/limits.ts';

const units = [
  { above: 1e9, per: 1e9, suffix: 'B' },
  { above: 1e6, per: 1e6, suffix: 'M' },
  { above: 1e4, per: 1e3, suffix: 'k' },
] as const;

/** 10,001 is 10.0k, 1,500,000 is 1.5M, 2e9 is 2.0B; up to 10,000 the number stays as it is. */
export function shortenNumber(value: number): string {
  const unit = units.find(({ above }) => Math.abs(value) > above);
  return unit ? `${(value / unit.per).toFixed(1)}${unit.suffix}` : String(value);
}

export interface QuotaDisplay {
  readonly display_in_currency: boolean;
  readonly quota_per_unit: number;
}

/** A quota for people: dollars when the gateway shows currency, else a shortened number of points. */
export function formatQuota(quota: number, display: QuotaDisplay, digits = 2): string {
  if (!display.display_in_currency) return shortenNumber(quota);
  const amount = (quota / display.quota_per_unit).toFixed(digits);
  return Number(amount) < 0 ? `-$${amount.slice(1)}` : `$${amount.replace('-', '')}`;
}

/** Cuts to the shown length in all, the ellipsis included; counts characters, not code units. */
export function truncateName(name: string, length: number = shownNameLength): string {
  const characters = [...name];
  return characters.length <= length ? name : `${characters.slice(0, length - 1).join('')}…`;
}
