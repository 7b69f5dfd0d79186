import { fillSentence } from '@headgate/contract';
import { useMemo, useSyncExternalStore } from 'react';
import { currentLanguage, type Language, rememberLanguage } from './language.ts';
import type { zh } from './zh.ts';

/** English texts are their own keys: the words in the code are the words on the screen. */
export type Words = keyof typeof zh;

type Values = Readonly<Record<string, string | number>>;

export type Translate = (words: Words, values?: Values) => string;

type Texts = Readonly<Record<string, string>>;

// English needs no file: its keys are its texts.
const english: Texts = {};
let texts = english;
const listeners = new Set<() => void>();

/** A Chinese file that does not arrive leaves the console in English rather than blank. */
export const startTranslation = (): Promise<void> => applyLanguage(currentLanguage()).catch(() => undefined);

export async function switchLanguage(language: Language): Promise<void> {
  rememberLanguage(language);
  await applyLanguage(language);
}

async function applyLanguage(language: Language): Promise<void> {
  texts = language === 'zh' ? (await import('./zh.ts')).zh : english;
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  for (const listener of listeners) listener();
}

const textIn = (from: Texts, words: string, values: Values = {}): string => fillSentence(from[words] ?? words, values);

export const translate: Translate = (words, values) => textIn(texts, words, values);

export interface WordsIn {
  readonly t: Translate;
  /** Translates labels that come from the contract's tables; a test sees to it that each has words. */
  readonly label: (text: string) => string;
  readonly language: Language;
}

/** The words of the current language, shown anew when it changes. */
export function useWords(): WordsIn {
  const current = useSyncExternalStore(subscribe, () => texts);
  return useMemo(() => {
    const read = (words: string, values?: Values) => textIn(current, words, values);
    return { t: read, label: read, language: current === english ? 'en' : 'zh' };
  }, [current]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
