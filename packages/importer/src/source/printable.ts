/** Escapes control characters and bidirectional text controls for terminal output. */
export const printable = (line: string): string =>
  line.replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
