/** Control characters, including those above ASCII, and invisible or direction-changing ones. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible and control characters, so that a line hides nothing and cannot control a terminal. */
export const writtenOut = (line: string): string =>
  line.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
