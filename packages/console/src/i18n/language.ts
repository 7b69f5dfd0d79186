export type Language = 'en' | 'zh';

const key = 'language';

const chosen = (): Language | undefined => {
  const stored = localStorage.getItem(key);
  return stored === 'en' || stored === 'zh' ? stored : undefined;
};

let current: Language = chosen() ?? (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en');

export const currentLanguage = (): Language => current;

export function storeLanguage(language: Language): void {
  current = language;
  localStorage.setItem(key, language);
}
