/** More than there are users, names or sums in an answer. */
const mostCodes = 2 ** 32;

/** Codes that have a place in a list rather than in a map. */
const mostFirst = 2 ** 22;

/** A column that tells sums apart: each pair of a place so far and a code of the column leads to a place of its own. */
export class PackLevel {
  #places = new Map<number | bigint, number>();
  /** Places after the first one, plus one, by their codes: most often there is but one before, and many users follow. */
  #first = new Uint32Array(64);
  before: number[] = [];
  codes: number[] = [];

  copy(): PackLevel {
    const copy = new PackLevel();
    copy.#places = new Map(this.#places);
    copy.#first = this.#first.slice();
    copy.before = [...this.before];
    copy.codes = [...this.codes];
    return copy;
  }

  placeAfter(before: number, code: number): number {
    if (before !== 0 || code < 0 || code >= mostFirst) return this.#placeOfPair(before, code);
    if (code >= this.#first.length) this.#makeRoomFor(code);
    const known = this.#first[code] ?? 0;
    return known === 0 ? this.#firstPlaceOf(code) : known - 1;
  }

  #makeRoomFor(code: number): void {
    if (code < this.#first.length) return;
    const larger = new Uint32Array(2 * code + 1);
    larger.set(this.#first);
    this.#first = larger;
  }

  #firstPlaceOf(code: number): number {
    this.before.push(0);
    this.#first[code] = this.codes.push(code);
    return this.codes.length - 1;
  }

  #placeOfPair(before: number, code: number): number {
    const sum = before * mostCodes + code;
    // Beyond two million places not every number is one: some pairs would be taken for others.
    const pair = Number.isSafeInteger(sum) ? sum : BigInt(before) * BigInt(mostCodes) + BigInt(code);
    const known = this.#places.get(pair);
    if (known !== undefined) return known;
    const place = this.before.length;
    this.#places.set(pair, place);
    this.before.push(before);
    this.codes.push(code);
    return place;
  }
}
