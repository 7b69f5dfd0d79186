/** A line with what a terminal would obey, or what would turn the words around, written out. */
export const printable = (line: string): string =>
  line.replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
