import { mixesScripts } from './name-scripts.ts';

/**
 * What must not be in a name that stands for a person: what cannot be seen (controls, marks of direction, joiners,
 * fillers, private and unassigned characters), blanks other than the plain one, and what addresses are told by.
 */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;
const otherBlanks = /(?! )[\p{Z}\s]| {2}/u;
const startsWithMark = /^\p{M}/u;

/** Whether a new account may be called so. Accounts from before the rule keep their names. */
export const isUsername = (text: string): boolean =>
  text === text.trim() &&
  !unseen.test(text) &&
  !otherBlanks.test(text) &&
  !startsWithMark.test(text) &&
  !mixesScripts(text.normalize('NFKC')) &&
  // Also the wide and the small one, which are the same to whoever reads them.
  !text.normalize('NFKC').includes('@');

/** Without what would change the lines or the direction of the words around it; joined pictures stay. */
export const withoutControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '');

/** The same without anything that cannot be seen, for names that others make up. */
export const withoutUnseen = (text: string): string =>
  text.replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu, '');
