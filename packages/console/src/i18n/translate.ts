import { fillTemplate } from '@headgate/contract';
import { useMemo, useSyncExternalStore } from 'react';
import { currentLanguage, type Language, storeLanguage } from './language.ts';
import type { zh } from './zh.ts';
import type { zhDeferred } from './zh-deferred.ts';

/** English texts are the translation keys. */
export type TextKey = keyof typeof zh | keyof typeof zhDeferred;

type Values = Readonly<Record<string, string | number>>;

export type Translate = (text: TextKey, values?: Values) => string;

type Texts = Readonly<Record<string, string>>;

// English needs no table: the keys are the texts.
const english: Texts = {};
let texts = english;
const listeners = new Set<() => void>();

/** If the Chinese table fails to load, the console stays in English. */
export const startTranslation = (): Promise<void> => applyLanguage(currentLanguage()).catch(() => undefined);

export async function switchLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  await applyLanguage(language);
}

async function applyLanguage(language: Language): Promise<void> {
  deferredTexts = undefined;
  show(language === 'zh' ? (await import('./zh.ts')).zh : english);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  void loadDeferredTexts();
}

let deferredTexts: Promise<void> | undefined;

/** Loads the remaining translations. Until then, their texts stay in English. */
export function loadDeferredTexts(): Promise<void> {
  deferredTexts ??= texts === english ? Promise.resolve() : addDeferredTexts().catch(() => undefined);
  return deferredTexts;
}

async function addDeferredTexts(): Promise<void> {
  const { zhDeferred } = await import('./zh-deferred.ts');
  if (texts !== english) show({ ...texts, ...zhDeferred });
}

function show(these: Texts): void {
  texts = these;
  for (const listener of listeners) listener();
}

const textIn = (from: Texts, text: string, values: Values = {}): string => fillTemplate(from[text] ?? text, values);

export const translate: Translate = (text, values) => textIn(texts, text, values);

export interface Translation {
  readonly t: Translate;
  /** Translates labels from the contract's tables. A test checks that each has a translation. */
  readonly label: (text: string) => string;
  readonly language: Language;
}

/** Translations of the current language. Rerenders when the language changes. */
export function useTranslation(): Translation {
  const current = useSyncExternalStore(subscribe, () => texts);
  return useMemo(() => {
    const read = (text: string, values?: Values) => textIn(current, text, values);
    return { t: read, label: read, language: current === english ? 'en' : 'zh' };
  }, [current]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
