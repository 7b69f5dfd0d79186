import { shownNameLength } from './limits.ts';

const units = [
  { from: 1e9, suffix: 'B' },
  { from: 1e6, suffix: 'M' },
  { from: 1e4, suffix: 'k', per: 1e3 },
] as const;

/** 10000 → 10.0k, 1500000 → 1.5M, 2e9 → 2.0B; smaller numbers as they are. */
export function shortenNumber(value: number): string {
  const size = Math.abs(value);
  for (const [index, unit] of units.entries()) {
    if (size < unit.from) continue;
    const text = (value / ('per' in unit ? unit.per : unit.from)).toFixed(1);
    const larger = units[index - 1];
    // 999,999 would read 1000.0k: let it roll over into the next unit.
    if (larger && Math.abs(Number(text)) >= 1000) return `${(value / larger.from).toFixed(1)}${larger.suffix}`;
    return text + unit.suffix;
  }
  return String(value);
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
