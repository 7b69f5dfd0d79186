import { mixesScripts } from './mixed-scripts.ts';

/**
 * Characters that usernames cannot contain: invisible ones (controls, direction marks, joiners, fillers, private and
 * unassigned characters), unusual spaces, and @.
 */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;
const otherBlanks = /(?! )[\p{Z}\s]| {2}/u;
const startsWithMark = /^\p{M}/u;

/** Start of the usernames of accounts that belong to organizations. Users cannot have it. */
export const organizationPrefix = 'org:';

/** Whether a new account may use the name. Existing accounts keep their names. */
export const isUsername = (text: string): boolean =>
  text === text.trim() &&
  !invisible.test(text) &&
  !otherBlanks.test(text) &&
  !startsWithMark.test(text) &&
  !mixesScripts(text.normalize('NFKC')) &&
  !text.normalize('NFKC').trimStart().toLowerCase().startsWith(organizationPrefix) &&
  // NFKC also covers the full-width and small variants of @.
  !text.normalize('NFKC').includes('@');

/** Removes characters that change line breaks or text direction; emoji sequences stay intact. */
export const withoutControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '');

/** Also removes invisible characters, for names from external sources. */
export const withoutInvisible = (text: string): string =>
  text.replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu, '');
