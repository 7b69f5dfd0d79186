export type PatternPart =
  /** One character or class, as written. */
  | { readonly kind: 'character'; readonly source: string }
  /** Zero-width: an anchor, or a lookaround with `choices`. */
  | { readonly kind: 'edge'; readonly source: string; readonly choices: readonly Sequence[] }
  | { readonly kind: 'group'; readonly choices: readonly Sequence[] }
  | { readonly kind: 'repeat'; readonly part: PatternPart; readonly least: number; readonly most: number }
  | { readonly kind: 'backreference' };

export type Sequence = readonly PatternPart[];

/** Parses a pattern that has compiled; returns its top-level alternatives. */
export function parsePattern(source: string): readonly Sequence[] {
  return new PatternReader(source).choices();
}

const groupHead = /\(\?(?:[=!:]|<[=!]|<[^>]*>|[a-z-]*:)|\(/y;
const escapeSequence = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|k<[^>]*>|\d+|[\s\S])/y;
const characterClass = /\[(?:\\[\s\S]|[^\]\\])*\]/y;
const quantifier = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;

class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  choices(): Sequence[] {
    const choices: PatternPart[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at += 1;
        choices.push([]);
      } else choices.at(-1)?.push(this.#repeated(this.#part()));
    }
    return choices;
  }

  #part(): PatternPart {
    const group = this.#take(groupHead);
    if (group) return this.#group(group[0]);
    const escaped = this.#take(escapeSequence);
    if (escaped) return escapedPart(escaped[0]);
    const inBrackets = this.#take(characterClass);
    if (inBrackets) return { kind: 'character', source: inBrackets[0] };
    const character = this.#source[this.#at] ?? '';
    this.#at += 1;
    if (character === '^' || character === '$') return { kind: 'edge', source: character, choices: [] };
    return { kind: 'character', source: character };
  }

  #group(head: string): PatternPart {
    const choices = this.choices();
    this.#at += 1;
    const looksAround = /^\(\?<?[=!]/.test(head);
    return looksAround ? { kind: 'edge', source: head, choices } : { kind: 'group', choices };
  }

  #repeated(part: PatternPart): PatternPart {
    const found = this.#take(quantifier);
    if (!found) return part;
    const [sign, least = '0', comma, most] = found;
    if (!sign.startsWith('{')) {
      return {
        kind: 'repeat',
        part,
        least: sign[0] === '+' ? 1 : 0,
        most: sign[0] === '?' ? 1 : Number.POSITIVE_INFINITY,
      };
    }
    const limit = comma === undefined ? Number(least) : Number(most || Number.POSITIVE_INFINITY);
    return { kind: 'repeat', part, least: Number(least), most: limit };
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found) this.#at += found[0].length;
    return found;
  }
}

function escapedPart(source: string): PatternPart {
  if (source === '\\b' || source === '\\B') return { kind: 'edge', source, choices: [] };
  if (/^\\(?:[1-9]|k<)/.test(source)) return { kind: 'backreference' };
  return { kind: 'character', source };
}
