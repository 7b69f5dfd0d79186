/** Control characters, including those above ASCII, and invisible or direction-changing ones. */
const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible and control characters, so that a line hides nothing and cannot control a terminal. */
export const escapeLine = (line: string): string =>
  line.replace(invisibleCharacters, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
