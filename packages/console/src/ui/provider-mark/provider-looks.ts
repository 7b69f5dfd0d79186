/** How the mark of a channel type looks before its glyph has come, or when it has none. */
interface ProviderLook {
  readonly letters: string;
  /** One of the library's colours, near the provider's own; dark is the colour of text. */
  readonly color: string;
}

/** By channel type. Neighbours in a list are told apart by the letters, so no two share them. */
export const providerLooks: Readonly<Record<number, ProviderLook>> = {
  1: { letters: 'OA', color: 'dark' },
  2: { letters: '2D', color: 'blue' },
  3: { letters: 'Az', color: 'blue' },
  4: { letters: 'Cl', color: 'teal' },
  5: { letters: 'SB', color: 'orange' },
  6: { letters: 'Mx', color: 'violet' },
  7: { letters: 'Om', color: 'grape' },
  8: { letters: '{}', color: 'pink' },
  9: { letters: 'LS', color: 'yellow' },
  10: { letters: 'AP', color: 'grape' },
  11: { letters: 'PL', color: 'yellow' },
  12: { letters: '2G', color: 'blue' },
  13: { letters: 'AI', color: 'grape' },
  14: { letters: 'An', color: 'orange' },
  15: { letters: 'Wx', color: 'blue' },
  16: { letters: 'Zh', color: 'indigo' },
  17: { letters: 'Qw', color: 'violet' },
  18: { letters: 'Sp', color: 'cyan' },
  19: { letters: '36', color: 'green' },
  20: { letters: 'OR', color: 'indigo' },
  21: { letters: 'KB', color: 'grape' },
  22: { letters: 'Fg', color: 'cyan' },
  23: { letters: 'Hy', color: 'blue' },
  24: { letters: 'Ge', color: 'blue' },
  25: { letters: 'Ms', color: 'dark' },
  26: { letters: 'Bc', color: 'orange' },
  27: { letters: 'Mm', color: 'pink' },
  28: { letters: 'Mi', color: 'orange' },
  29: { letters: 'Gq', color: 'red' },
  30: { letters: 'Ol', color: 'dark' },
  31: { letters: '01', color: 'green' },
  32: { letters: 'St', color: 'cyan' },
  33: { letters: 'AW', color: 'orange' },
  34: { letters: 'Cz', color: 'indigo' },
  35: { letters: 'Co', color: 'teal' },
  36: { letters: 'DS', color: 'indigo' },
  37: { letters: 'CF', color: 'orange' },
  38: { letters: 'DL', color: 'blue' },
  39: { letters: 'Tg', color: 'blue' },
  40: { letters: 'Db', color: 'cyan' },
  41: { letters: 'Nv', color: 'green' },
  42: { letters: 'Vx', color: 'blue' },
  43: { letters: '⇄', color: 'gray' },
  44: { letters: 'SF', color: 'violet' },
  45: { letters: 'xA', color: 'dark' },
  46: { letters: 'Ru', color: 'teal' },
};

/** Of a type that this release does not know. */
export const unknownLook: ProviderLook = { letters: '?', color: 'gray' };
