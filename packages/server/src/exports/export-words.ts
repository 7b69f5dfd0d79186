import { exportWords } from '@headgate/contract';
import type { Language } from '../refusal.ts';

type ExportWord = keyof typeof exportWords;

/** What exported files are written in. */
export interface ExportLanguage {
  readonly say: (words: ExportWord) => string;
  /** Of labels that come from the contract's tables. */
  readonly label: (text: string) => string;
}

export function exportLanguage(language: Language): ExportLanguage {
  const texts: Readonly<Record<string, string>> = language === 'zh' ? exportWords : {};
  const read = (words: string) => texts[words] ?? words;
  return { say: read, label: read };
}
