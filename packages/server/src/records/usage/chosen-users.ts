import type { Numbers } from './packed-column.ts';

/** Ids above this would take more memory than it is worth; they are looked up. */
const mostMarked = 2 ** 22;

/** A few users whose sums are looked for among those of all: every entry of many packs is looked at. */
export class ChosenUsers {
  readonly #ids: ReadonlySet<number>;
  /** A one for each of them, at its id. */
  readonly #marks: Uint8Array | undefined;

  constructor(ids: Iterable<number>) {
    this.#ids = new Set(ids);
    const most = Math.max(0, ...this.#ids);
    const isMarkable = most < mostMarked && [...this.#ids].every((id) => id >= 0);
    this.#marks = isMarkable ? new Uint8Array(most + 1) : undefined;
    for (const id of this.#ids) if (this.#marks) this.#marks[id] = 1;
  }

  /** Where they stand in a column of ids. */
  entriesIn(column: Numbers): Uint32Array {
    return Uint32Array.from(this.#marks ? markedIn(column, this.#marks) : this.#knownIn(column));
  }

  #knownIn(column: Numbers): readonly number[] {
    const found: number[] = [];
    for (let at = 0; at < column.length; at += 1) if (this.#ids.has(column[at] ?? 0)) found.push(at);
    return found;
  }
}

function markedIn(column: Numbers, marks: Uint8Array): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < column.length; at += 1) {
    const id = column[at] ?? 0;
    if (id < marks.length && marks[id] === 1) found.push(at);
  }
  return found;
}
