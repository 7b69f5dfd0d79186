import { browserLocale } from './format.ts';

/** Result of parsing a typed number. */
export type ParsedNumber =
  | { readonly value: number; readonly mistake?: never }
  | { readonly mistake: 'unreadable' }
  /** `1.000` is a thousand in some locales and one in others. */
  | { readonly mistake: 'ambiguous'; readonly small: number; readonly large: number };

const blanks = /(?<=\d)[\s_'’](?=\d)/g;
/** Groups of thousands. The caller checks that only one separator is used. */
const groups = /^\d{1,3}(?:[.,]\d{3})+$/;
const unreadable: ParsedNumber = { mistake: 'unreadable' };

/** Parses a number with the separators of any locale. Rejects ambiguous input. */
export function parseNumber(typed: string, locale: string = browserLocale()): ParsedNumber {
  const text = typed.trim().replace(blanks, '');
  if (!/^\d*(?:[.,]\d+)*[.,]?$/.test(text) || !/\d/.test(text)) return unreadable;
  const separators = text.match(/[.,]/g) ?? [];
  const [first] = separators;
  const last = separators.at(-1);
  if (first === undefined || last === undefined) return { value: Number(text) };
  if (first !== last) return parseMixedSeparators(text, last);
  if (separators.length > 1) return groups.test(text) ? { value: Number(digitsOf(text)) } : unreadable;
  if (!groups.test(text) || text.startsWith('0')) return { value: Number(text.replace(',', '.')) };
  const large = Number(digitsOf(text));
  return first === groupSeparator(locale)
    ? { value: large }
    : { mistake: 'ambiguous', small: Number(text.replace(',', '.')), large };
}

const digitsOf = (text: string): string => text.replace(/[.,]/g, '');

/**
 * With both separators, the last one is the decimal separator; it must occur once, and the other must group
 * thousands.
 */
function parseMixedSeparators(text: string, decimal: string): ParsedNumber {
  const at = text.indexOf(decimal);
  const whole = text.slice(0, at);
  if (text.indexOf(decimal, at + 1) !== -1 || !groups.test(whole)) return unreadable;
  return { value: Number(`${digitsOf(whole)}.${text.slice(at + 1)}`) };
}

const groupSeparator = (locale: string): string | undefined =>
  new Intl.NumberFormat(locale).formatToParts(1_234_567).find(({ type }) => type === 'group')?.value;
