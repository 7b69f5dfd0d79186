import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { docsFolder } from './sidebar.ts';

/** Class of pages that exist in one language only. */
export const untranslatedClass = 'untranslated';

/** Hides the language menu, whose link would lead to a missing page. */
export const untranslatedStyle = `.${untranslatedClass} .VPNavTranslations { display: none !important; }`;

/** Path of the same page in the other language, relative to docs/. */
export const translationPath = (page: string): string => (page.startsWith('zh/') ? page.slice(3) : `zh/${page}`);

export const isTranslated = (page: string): boolean => existsSync(join(docsFolder, translationPath(page)));
