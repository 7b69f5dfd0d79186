/**
 * A field's name that is searched for in the text of an event, by the end of the name: a search stops wherever its first
 * character stands, and a quote stands everywhere. Four fields take 0.2 µs of an event instead of the 0.9 of `indexOf`
 * (`node scripts/bench/plain-forms.ts`).
 */
export class SoughtField {
  /** With its quotes and its colon. */
  readonly name: string;
  readonly #rare: string;
  readonly #before: number;

  /** `rare` is the end of the name that begins with a character few events have many of. */
  constructor(name: string, rare: string) {
    if (!name.endsWith(rare)) throw new Error(`${rare} is not the end of ${name}.`);
    this.name = name;
    this.#rare = rare;
    this.#before = name.length - rare.length;
  }

  /** Where what follows the field begins; -1 when it is not there. */
  after(line: string): number {
    for (let at = line.indexOf(this.#rare); at !== -1; at = line.indexOf(this.#rare, at + 1)) {
      if (this.#isAt(line, at)) return at + this.#rare.length;
    }
    return -1;
  }

  /** Where what follows the last such field begins; -1 when it is not there. */
  afterLast(line: string): number {
    // Looking backwards is slow, and most events have none.
    if (!line.includes(this.#rare)) return -1;
    for (let at = line.lastIndexOf(this.#rare); at !== -1; at = at === 0 ? -1 : line.lastIndexOf(this.#rare, at - 1)) {
      if (this.#isAt(line, at)) return at + this.#rare.length;
    }
    return -1;
  }

  /** Comparing a slice takes a fraction of the time of looking whether a text stands at a place. */
  #isAt(line: string, rare: number): boolean {
    const start = rare - this.#before;
    return start >= 0 && line.slice(start, rare + this.#rare.length) === this.name;
  }
}
