/** Control characters, including those above ASCII, and invisible or direction-changing ones. */
const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible and control characters, so that nothing in a line is hidden and nothing controls a terminal. */
export const escapeLine = (line: string): string =>
  line.replace(invisibleCharacters, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
