/**
 * Searches the text of an event for a field name by its last characters: a search stops at every occurrence of its
 * first character, and quotes are everywhere. Four fields take 0.2 µs per event instead of 0.9 µs with `indexOf`
 * (`node scripts/bench/plain-forms.ts`).
 */
export class FieldSearch {
  /** Field name with quotes and colon. */
  readonly name: string;
  readonly #rare: string;
  readonly #before: number;

  /** `rare` is the end of the name, starting with a character that is rare in events. */
  constructor(name: string, rare: string) {
    if (!name.endsWith(rare)) throw new Error(`${rare} is not the end of ${name}.`);
    this.name = name;
    this.#rare = rare;
    this.#before = name.length - rare.length;
  }

  /** Position after the field; -1 when the field is absent. */
  after(line: string): number {
    for (let at = line.indexOf(this.#rare); at !== -1; at = line.indexOf(this.#rare, at + 1)) {
      if (this.#isAt(line, at)) return at + this.#rare.length;
    }
    return -1;
  }

  /** Position after the last occurrence of the field; -1 when the field is absent. */
  afterLast(line: string): number {
    // Searching backwards is slow, and most events do not contain the field.
    if (!line.includes(this.#rare)) return -1;
    for (let at = line.lastIndexOf(this.#rare); at !== -1; at = at === 0 ? -1 : line.lastIndexOf(this.#rare, at - 1)) {
      if (this.#isAt(line, at)) return at + this.#rare.length;
    }
    return -1;
  }

  /** Comparing a slice is much faster than `startsWith` with a position. */
  #isAt(line: string, rare: number): boolean {
    const start = rare - this.#before;
    return start >= 0 && line.slice(start, rare + this.#rare.length) === this.name;
  }
}
