import {
  canChangeOption,
  fillTemplate,
  type OptionError,
  type OptionKey,
  optionError,
  optionErrors,
  optionLabels,
  optionRow,
} from '@headgate/contract';
import type { UserRow } from '../db/rows.ts';
import { ApiError, type Language } from '../errors/api-error.ts';

/** Checked on every change of an option, through any API. */
export function requireRole(actor: UserRow, key: OptionKey): void {
  if (!canChangeOption(actor, key)) throw new ApiError('optionOfRoot', { setting: optionLabel(key) });
}

/** Rejects a value that cannot be parsed, which would be replaced with the default. */
export function requireParsable(key: OptionKey, text: string): void {
  const fault = optionError(key, text);
  if (fault) throw new ApiError('optionInvalid', { fault: optionErrorMessage(key, fault) });
}

type DialectName = Readonly<Record<Language, string>>;

export function optionLabel(key: OptionKey): DialectName {
  const { label } = optionRow(key);
  return { en: label, zh: optionLabels[label as keyof typeof optionLabels] };
}

/** Joins labels as "A, B and C". */
export function joinOptionLabels(keys: readonly OptionKey[]): DialectName {
  const labels = keys.map(optionLabel);
  const inEnglish = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' });
  const inChinese = new Intl.ListFormat('zh', { style: 'long', type: 'conjunction' });
  return { en: inEnglish.format(labels.map(({ en }) => en)), zh: inChinese.format(labels.map(({ zh }) => zh)) };
}

export function optionErrorMessage(key: OptionKey, { message, values }: OptionError): DialectName {
  const label = optionLabel(key);
  return {
    en: fillTemplate(message, { ...values, label: label.en }),
    zh: fillTemplate(optionErrors[message], { ...values, label: label.zh }),
  };
}
