/** Controls, also those above ASCII, and what is not seen or turns the direction of writing. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A line in which nothing is hidden and nothing makes a terminal do something: such characters stand as escapes. */
export const writtenOut = (line: string): string =>
  line.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
