import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { currentLanguage, type Language, rememberLanguage } from './language.ts';
import type { zh } from './zh.ts';

/** English texts are their own keys: the words in the code are the words on the screen. */
export type Words = keyof typeof zh;

type Values = Readonly<Record<string, string | number>>;

export type Translate = (words: Words, values?: Values) => string;

export async function startTranslation(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: currentLanguage(),
    fallbackLng: false,
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    returnEmptyString: false,
  });
  await applyLanguage(currentLanguage());
}

export async function switchLanguage(language: Language): Promise<void> {
  rememberLanguage(language);
  await applyLanguage(language);
}

async function applyLanguage(language: Language): Promise<void> {
  // English needs no file: its keys are its texts.
  if (language === 'zh' && !i18next.hasResourceBundle('zh', 'translation')) {
    const { zh } = await import('./zh.ts');
    i18next.addResourceBundle('zh', 'translation', zh);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}

export const translate: Translate = (words, values) => i18next.t(words as never, values as never) as unknown as string;

export interface WordsIn {
  readonly t: Translate;
  /** For labels that come from the contract's tables; a test sees to it that each is translated. */
  readonly label: (text: string) => string;
  readonly language: Language;
}

export function useWords(): WordsIn {
  const { t } = useTranslation();
  return {
    t: (words, values) => t(words as never, values as never) as unknown as string,
    label: (text) => t(text as never) as unknown as string,
    language: currentLanguage(),
  };
}
