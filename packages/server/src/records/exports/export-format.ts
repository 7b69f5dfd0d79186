import { type Cell, type ExportFormat, exportMessages } from '@headgate/contract';
import type { Language } from '../../platform/errors/api-error.ts';

/** Format and language of an exported file. */
export interface ExportFileFormat {
  readonly format: ExportFormat;
  readonly language: Language;
  readonly timeZone: string;
  readonly quotaPerUnit: number;
}

/** Fields set by the request; the others come from settings. */
export type RequestedFormat = Omit<ExportFileFormat, 'quotaPerUnit'>;

/** Options of an export request. */
export const requestedFormat = (
  { format, time_zone: timeZone }: { readonly format: ExportFormat; readonly time_zone: string },
  { language }: { readonly language: Language },
): RequestedFormat => ({ format, timeZone, language });

/** One column of a CSV file. */
export interface ExportColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Cell;
}

/** Rounded to a millionth of a dollar, because a single request may cost that little. */
export const dollars = (quota: number, perUnit: number): number => Math.round((quota / perUnit) * 1e6) / 1e6;

interface Labelled {
  readonly label: string;
}

/** Formats values that occur in many lists. */
export function listCells({ language, timeZone, quotaPerUnit }: ExportFileFormat) {
  const { say, label } = exportTexts(language);
  const write = localTimeFormatter(timeZone);
  return {
    say,
    /** Empty for 0, which means never. */
    time: (seconds: number) => (seconds > 0 ? write(seconds) : ''),
    dollars: (quota: number) => dollars(quota, quotaPerUnit),
    /** Label of a number from one of the contract's tables. */
    named: (table: Readonly<Record<number, Labelled>>, value: number) => label(table[value]?.label ?? 'Unknown'),
    reason: (table: Readonly<Record<string, Labelled>>, value: string) =>
      value === '' ? '' : label(table[value]?.label ?? value),
  };
}

/** Text used only in files; text shared with the console is in the contract. */
const fileLabels = {
  ...exportMessages,
  Tag: '标签',
  Code: '兑换码',
  'Remaining quota (USD)': '剩余额度（美元）',
  'Used quota (USD)': '已用额度（美元）',
  'Invited by': '邀请人',
  'Last used': '最近使用',
  'Created by': '创建者',
  'Redeemed by': '兑换者',
  Uses: '使用次数',
  'Max uses': '最多使用次数',
  'Plan ID': '套餐 ID',
  'Status reason': '状态原因',
  'Test duration (ms)': '测试耗时（毫秒）',
  'Last failure': '最近失败',
  'Failure reason': '失败原因',
  Complete: '完整',
} as const;

type ExportLabel = keyof typeof fileLabels;

/** Translations for exported files. */
interface ExportLanguage {
  readonly say: (message: ExportLabel) => string;
  /** Translates labels of the contract's tables. */
  readonly label: (text: string) => string;
}

export function exportTexts(language: Language): ExportLanguage {
  const texts: Readonly<Record<string, string>> = language === 'zh' ? fileLabels : {};
  const read = (message: string) => texts[message] ?? message;
  return { say: read, label: read };
}

const secondsPerStretch = 900;
/** Largest time that a Date can represent, in seconds. */
const latestSecond = 8_640_000_000_000;
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

/**
 * Formats Unix seconds as YYYY-MM-DD HH:mm:ss in a time zone. UTC offsets change only at quarter hours, so the date and
 * hour are computed once per quarter hour; computing them takes longer than the rest of a row.
 */
export function localTimeFormatter(timeZone: string): (seconds: number) => string {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en', { ...fields, timeZone, hourCycle: 'h23' });
  let known = Number.NaN;
  let hour = '';
  let firstMinute = 0;
  return (seconds) => {
    if (Math.abs(seconds) > latestSecond) return String(seconds);
    const stretch = Math.floor(seconds / secondsPerStretch);
    if (stretch !== known) {
      const parts = format.formatToParts(stretch * secondsPerStretch * 1000).map(({ type, value }) => [type, value]);
      const { year, month, day, hour: hours, minute } = Object.fromEntries(parts) as Record<string, string>;
      known = stretch;
      hour = `${year}-${month}-${day} ${hours}:`;
      firstMinute = Number(minute);
    }
    const within = seconds - stretch * secondsPerStretch;
    return `${hour}${twoDigits[firstMinute + Math.floor(within / 60)]}:${twoDigits[within % 60]}`;
  };
}
