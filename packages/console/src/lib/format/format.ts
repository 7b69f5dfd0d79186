import { type QuotaDisplay, shortenNumber } from '@headgate/contract';

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Formats seconds since 1970 as local YYYY-MM-DD HH:mm:ss. */
export function formatTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  const day = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
  return `${day} ${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}:${twoDigits(time.getSeconds())}`;
}

const timePattern = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** Parses local time to seconds; a date means its first second. Undefined if invalid. */
export function parseTime(text: string): number | undefined {
  const parts = timePattern
    .exec(text.trim())
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const time = new Date(year, month - 1, day, hour, minute, second);
  // `Date` rolls over invalid days, such as February 30, to the next month.
  const isReal = time.getMonth() === month - 1 && time.getDate() === day && hour < 24 && minute < 60 && second < 60;
  return isReal ? time.getTime() / 1000 : undefined;
}

/** Locale for number formatting. */
export const browserLocale = (): string => navigator.language || 'en-US';

// Cached, because creating a formatter takes longer than rendering the rest of a row.
const formats = new Map<string, Intl.NumberFormat>();

function localised(value: number, options: Intl.NumberFormatOptions, locale = browserLocale()): string {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format.format(value);
}

const smallestDigits: Intl.NumberFormatOptions = { maximumSignificantDigits: 2 };

/** A value that would round to zero shows its first two significant digits instead. */
function withSignificantDigits(
  value: number,
  digits: number,
  options: Intl.NumberFormatOptions,
  locale?: string,
): string {
  const isRoundedAway = value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits;
  return localised(value === 0 ? 0 : value, isRoundedAway ? smallestDigits : options, locale);
}

const maxDigits = 6;

/** Number with thousands separators and only the decimals it needs. */
export const formatNumber = (value: number, locale?: string): string =>
  withSignificantDigits(value, maxDigits, { maximumFractionDigits: maxDigits }, locale);

/** Number with a fixed number of decimals, for aligned columns. */
export const formatDecimals = (value: number, digits = 2, locale?: string): string =>
  withSignificantDigits(value, digits, { minimumFractionDigits: digits, maximumFractionDigits: digits }, locale);

/** Formats an amount of money. The currency sign comes first in every locale. */
export function formatMoney(amount: number, digits = 2, sign = '$', locale?: string): string {
  return (amount < 0 ? '-' : '') + sign + formatDecimals(Math.abs(amount), digits, locale);
}

/** Formats a price of any magnitude with four significant digits and at least two decimals. */
export function formatPrice(amount: number, locale?: string): string {
  const cents = Math.abs(amount) * 100;
  if (cents >= 100_000 || Number.isInteger(cents)) return formatMoney(amount, 2, '$', locale);
  const text = localised(Math.abs(amount), { maximumSignificantDigits: 4 }, locale);
  return `${amount < 0 ? '-' : ''}$${text}`;
}

/** Quota in dollars if the gateway shows currency, otherwise abbreviated points. */
export function formatQuota(quota: number, display: QuotaDisplay, digits = 2, locale?: string): string {
  if (!display.display_in_currency) return shortenNumber(quota);
  return formatMoney(quota / display.quota_per_unit, digits, '$', locale);
}
