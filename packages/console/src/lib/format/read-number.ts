import { readerLocale } from './format.ts';

/** A number as somebody typed it: what it is, or why that cannot be said. */
export type ReadNumber =
  | { readonly value: number; readonly mistake?: never }
  | { readonly mistake: 'unreadable' }
  /** A thousand to one reader, one to another. */
  | { readonly mistake: 'ambiguous'; readonly small: number; readonly large: number };

const blanks = /(?<=\d)[\s_'’](?=\d)/g;
/** Thousands; whether they are parted by one sign alone is for the caller to see. */
const groups = /^\d{1,3}(?:[.,]\d{3})+$/;
const unreadable: ReadNumber = { mistake: 'unreadable' };

/** Reads thousands and decimals as people of any place set them apart, and refuses to guess where two readings are possible. */
export function readNumber(typed: string, locale: string = readerLocale()): ReadNumber {
  const text = typed.trim().replace(blanks, '');
  if (!/^\d*(?:[.,]\d+)*[.,]?$/.test(text) || !/\d/.test(text)) return unreadable;
  const separators = text.match(/[.,]/g) ?? [];
  const [first] = separators;
  const last = separators.at(-1);
  if (first === undefined || last === undefined) return { value: Number(text) };
  if (first !== last) return mixed(text, last);
  if (separators.length > 1) return groups.test(text) ? { value: Number(digitsOf(text)) } : unreadable;
  if (!groups.test(text) || text.startsWith('0')) return { value: Number(text.replace(',', '.')) };
  const large = Number(digitsOf(text));
  return first === groupSeparator(locale)
    ? { value: large }
    : { mistake: 'ambiguous', small: Number(text.replace(',', '.')), large };
}

const digitsOf = (text: string): string => text.replace(/[.,]/g, '');

/** Both signs occur: the last one parts the decimals, if it stands alone and the other parts thousands. */
function mixed(text: string, decimal: string): ReadNumber {
  const at = text.indexOf(decimal);
  const whole = text.slice(0, at);
  if (text.indexOf(decimal, at + 1) !== -1 || !groups.test(whole)) return unreadable;
  return { value: Number(`${digitsOf(whole)}.${text.slice(at + 1)}`) };
}

const groupSeparator = (locale: string): string | undefined =>
  new Intl.NumberFormat(locale).formatToParts(1_234_567).find(({ type }) => type === 'group')?.value;
