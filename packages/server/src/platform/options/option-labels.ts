import {
  fillTemplate,
  type OptionError,
  type OptionKey,
  optionErrors,
  optionLabels,
  optionRow,
} from '@headgate/contract';
import type { Language } from '../errors/api-error.ts';

type Words = Readonly<Record<Language, string>>;

export function optionLabel(key: OptionKey): Words {
  const { label } = optionRow(key);
  return { en: label, zh: optionLabels[label as keyof typeof optionLabels] };
}

/** Joins labels as "A, B and C". */
export function joinOptionLabels(keys: readonly OptionKey[]): Words {
  const labels = keys.map(optionLabel);
  const inEnglish = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' });
  const inChinese = new Intl.ListFormat('zh', { style: 'long', type: 'conjunction' });
  return { en: inEnglish.format(labels.map(({ en }) => en)), zh: inChinese.format(labels.map(({ zh }) => zh)) };
}

export function optionErrorMessage(key: OptionKey, { words, values }: OptionError): Words {
  const label = optionLabel(key);
  return {
    en: fillTemplate(words, { ...values, label: label.en }),
    zh: fillTemplate(optionErrors[words], { ...values, label: label.zh }),
  };
}
