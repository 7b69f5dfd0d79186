import {
  fillSentence,
  type OptionFault,
  type OptionKey,
  optionFaults,
  optionLabels,
  optionRow,
} from '@headgate/contract';
import type { Language } from '../errors/refusal.ts';

type Words = Readonly<Record<Language, string>>;

export function labelOf(key: OptionKey): Words {
  const { label } = optionRow(key);
  return { en: label, zh: optionLabels[label as keyof typeof optionLabels] };
}

/** Joins labels as "A, B and C". */
export function labelsOf(keys: readonly OptionKey[]): Words {
  const labels = keys.map(labelOf);
  const inEnglish = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' });
  const inChinese = new Intl.ListFormat('zh', { style: 'long', type: 'conjunction' });
  return { en: inEnglish.format(labels.map(({ en }) => en)), zh: inChinese.format(labels.map(({ zh }) => zh)) };
}

export function faultSentence(key: OptionKey, { words, values }: OptionFault): Words {
  const label = labelOf(key);
  return {
    en: fillSentence(words, { ...values, label: label.en }),
    zh: fillSentence(optionFaults[words], { ...values, label: label.zh }),
  };
}
