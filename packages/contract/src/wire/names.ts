/** Scripts in current use. */
const scripts = {
  Latin: /\p{Script=Latin}/u,
  Han: /\p{Script=Han}/u,
  Hiragana: /\p{Script=Hiragana}/u,
  Katakana: /\p{Script=Katakana}/u,
  Bopomofo: /\p{Script=Bopomofo}/u,
  Hangul: /\p{Script=Hangul}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Georgian: /\p{Script=Georgian}/u,
  Hebrew: /\p{Script=Hebrew}/u,
  Arabic: /\p{Script=Arabic}/u,
  Devanagari: /\p{Script=Devanagari}/u,
  Bengali: /\p{Script=Bengali}/u,
  Gurmukhi: /\p{Script=Gurmukhi}/u,
  Gujarati: /\p{Script=Gujarati}/u,
  Oriya: /\p{Script=Oriya}/u,
  Tamil: /\p{Script=Tamil}/u,
  Telugu: /\p{Script=Telugu}/u,
  Kannada: /\p{Script=Kannada}/u,
  Malayalam: /\p{Script=Malayalam}/u,
  Sinhala: /\p{Script=Sinhala}/u,
  Thai: /\p{Script=Thai}/u,
  Lao: /\p{Script=Lao}/u,
  Tibetan: /\p{Script=Tibetan}/u,
  Myanmar: /\p{Script=Myanmar}/u,
  Khmer: /\p{Script=Khmer}/u,
  Mongolian: /\p{Script=Mongolian}/u,
  Ethiopic: /\p{Script=Ethiopic}/u,
  Cherokee: /\p{Script=Cherokee}/u,
  Coptic: /\p{Script=Coptic}/u,
  Canadian_Aboriginal: /\p{Script=Canadian_Aboriginal}/u,
  Tifinagh: /\p{Script=Tifinagh}/u,
  Lisu: /\p{Script=Lisu}/u,
  Glagolitic: /\p{Script=Glagolitic}/u,
} as const;

/** Digits, punctuation and marks, which are shared by all scripts. */
const shared = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** Combinations allowed by Unicode's "highly restrictive" profile (UTS 39). */
const allowedCombinations: readonly (readonly (string | undefined)[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/** True if a name mixes scripts that are not normally combined, as in homograph attacks. */
function mixesScripts(text: string): boolean {
  const found = new Set([...text].filter((letter) => !shared.test(letter)).map(scriptOf));
  return found.size > 1 && !allowedCombinations.some((usual) => [...found].every((name) => usual.includes(name)));
}

/** Undefined for historic scripts. */
const scriptOf = (letter: string): string | undefined =>
  Object.entries(scripts).find(([, pattern]) => pattern.test(letter))?.[0];

/**
 * Characters that usernames cannot contain: invisible ones (controls, direction marks, joiners, fillers, private and
 * unassigned characters), unusual spaces, and @.
 */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;
const otherBlanks = /(?! )[\p{Z}\s]| {2}/u;
const startsWithMark = /^\p{M}/u;

/** Prefix of the usernames of accounts that belong to organizations. Users cannot have it. */
export const organizationPrefix = 'org:';

/** True if a new account may use the name. Existing accounts keep their names. */
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
export const stripControlCharacters = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '');

/** Also removes invisible characters, for names from external sources. */
export const stripInvisibleCharacters = (text: string): string =>
  text.replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu, '');
