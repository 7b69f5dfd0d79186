import type { UsageMeasure } from '@headgate/contract';
import type { ChosenUsers } from './chosen-users.ts';
import { PackLevel } from './pack-level.ts';
import type { Numbers } from './packed-column.ts';
import { isNumber, type PackKey, type UsagePack } from './usage-pack.ts';

type Value = string | number;

export interface PackQuestion {
  /** What tells the sums apart. */
  readonly by: readonly PackKey[];
  readonly measures: readonly UsageMeasure[];
  readonly filter: Readonly<Partial<Record<PackKey, Value>>>;
  /** Of these users alone. */
  readonly users?: ChosenUsers | undefined;
  /** Sums are told apart also by no model, no channel and no group. */
  readonly isNameless?: boolean;
}

type PackSum = Partial<Record<PackKey | UsageMeasure, Value>> & { readonly time: number };

/** No model, no channel, no group: nobody can ask for the logs of that. */
const isNameless = (name: Value): boolean => name === '' || name === 0;

/** Adds up packs, one column after another. */
export class PackSums {
  readonly #question: PackQuestion;
  #times = new PackLevel();
  #levels: readonly PackLevel[];
  #sums: Float64Array[];
  /** Names of different packs have different numbers: here they have one each. */
  readonly #codes = new Map<PackKey, Map<Value, number>>();
  readonly #names = new Map<PackKey, Value[]>();

  constructor(question: PackQuestion) {
    this.#question = question;
    this.#levels = question.by.map(() => new PackLevel());
    this.#sums = question.measures.map(() => new Float64Array(64));
  }

  /** The same once more, to be added to on its own. */
  copy(): PackSums {
    const copy = new PackSums(this.#question);
    copy.#times = this.#times.copy();
    copy.#levels = this.#levels.map((level) => level.copy());
    copy.#sums = this.#sums.map((sums) => sums.slice());
    for (const [key, codes] of this.#codes) copy.#codes.set(key, new Map(codes));
    for (const [key, names] of this.#names) copy.#names.set(key, [...names]);
    return copy;
  }

  /** All of a pack counts for the time that is given with it. */
  add(pack: UsagePack, time: number): void {
    const entries = this.#entriesOf(pack);
    const count = entries?.length ?? pack.length;
    if (count === 0) return;
    const places = this.#placesOf(pack, entries, count, time);
    for (const [at, measure] of this.#question.measures.entries()) {
      const [sums, column] = [this.#roomFor(at), pack.column(measure)];
      for (let index = 0; index < count; index += 1) {
        const place = places[index] ?? 0;
        sums[place] = (sums[place] ?? 0) + (column[entries?.[index] ?? index] ?? 0);
      }
    }
  }

  /** Adds a sum from elsewhere, which has all measures. */
  addSum(sum: PackSum): void {
    let place = this.#times.placeAfter(0, sum.time);
    for (const [at, level] of this.#levels.entries()) {
      const key = this.#question.by[at] as PackKey;
      const value = sum[key] ?? 0;
      place = level.placeAfter(place, isNumber(key) ? Number(value) : this.#codeOf(key, value));
    }
    for (const [at, measure] of this.#question.measures.entries()) {
      const sums = this.#roomFor(at);
      sums[place] = (sums[place] ?? 0) + Number(sum[measure] ?? 0);
    }
  }

  rows(): readonly PackSum[] {
    return Array.from({ length: this.count }, (_, place) => this.#rowAt(place));
  }

  /** All as columns: what the places are told apart by, with the names behind the numbers, and the sums. */
  columns() {
    const { by, measures } = this.#question;
    const codes = by.map((): number[] => []);
    for (let place = 0; place < this.count; place += 1) {
      let before = place;
      for (let at = by.length - 1; at >= 0; at -= 1) {
        codes[at]?.push(this.#levels[at]?.codes[before] ?? 0);
        before = this.#levels[at]?.before[before] ?? 0;
      }
    }
    return {
      keys: by.map((key, at) => [key, codes[at] ?? []] as const),
      names: Object.fromEntries(this.#names),
      sums: measures.map(
        (measure, at) => [measure, (this.#sums[at] ?? new Float64Array()).subarray(0, this.count)] as const,
      ),
    };
  }

  /** In the order of the names where sums are alike, so that an answer does not change by itself. */
  largest(measure: UsageMeasure, count: number): readonly PackSum[] {
    const { by, measures } = this.#question;
    const sums = this.#sums[measures.indexOf(measure)] ?? new Float64Array();
    const isBefore = (one: number, other: number) => {
      const difference = (sums[one] ?? 0) - (sums[other] ?? 0);
      if (difference !== 0) return difference > 0;
      const [row, otherRow] = [this.#rowAt(one), this.#rowAt(other)];
      const differing = by.find((key) => row[key] !== otherRow[key]);
      return differing !== undefined && (row[differing] ?? 0) < (otherRow[differing] ?? 0);
    };
    const top: number[] = [];
    for (let place = 0; place < this.count; place += 1) {
      const last = top.at(-1);
      if (top.length === count && last !== undefined && !isBefore(place, last)) continue;
      const rank = top.findIndex((each) => isBefore(place, each));
      top.splice(rank === -1 ? top.length : rank, 0, place);
      if (top.length > count) top.pop();
    }
    return top.map((place) => this.#rowAt(place));
  }

  #rowAt(place: number): PackSum {
    const row: Record<string, Value> = {};
    for (const [at, measure] of this.#question.measures.entries()) row[measure] = this.#sums[at]?.[place] ?? 0;
    let before = place;
    for (const [at, key] of [...this.#question.by.entries()].reverse()) {
      const code = this.#levels[at]?.codes[before] ?? 0;
      row[key] = isNumber(key) ? code : (this.#names.get(key)?.[code] ?? '');
      before = this.#levels[at]?.before[before] ?? 0;
    }
    return { ...row, time: this.#times.codes[before] ?? 0 };
  }

  /** How many sums there are. */
  get count(): number {
    return (this.#levels.at(-1) ?? this.#times).codes.length;
  }

  /** Which entries of a pack pass the filters, and have a name in every column that tells them apart; undefined: all. */
  #entriesOf(pack: UsagePack): Uint32Array | undefined {
    const { by, filter, users, isNameless: takesNameless } = this.#question;
    let entries = users?.entriesIn(pack.column('user_id'));
    const keep = (key: PackKey, isKept: (number: number) => boolean) => {
      const column = pack.column(key);
      entries = entries ? entries.filter((entry) => isKept(column[entry] ?? 0)) : placesIn(column, isKept);
    };
    for (const [key, value] of Object.entries(filter) as [PackKey, Value][]) {
      const wanted = pack.namesOf(key)?.indexOf(value) ?? value;
      keep(key, (number) => number === wanted);
    }
    for (const key of takesNameless ? [] : by) {
      const nameless = pack.namesOf(key)?.findIndex(isNameless) ?? -1;
      if (nameless !== -1) keep(key, (number) => number !== nameless);
    }
    return entries;
  }

  #placesOf(pack: UsagePack, entries: Uint32Array | undefined, count: number, time: number): Uint32Array {
    const places = new Uint32Array(count).fill(this.#times.placeAfter(0, time));
    for (const [at, level] of this.#levels.entries()) {
      const key = this.#question.by[at] as PackKey;
      const codes = this.#codesOf(pack, key);
      const column = pack.column(key);
      for (let index = 0; index < count; index += 1) {
        const number = column[entries?.[index] ?? index] ?? 0;
        places[index] = level.placeAfter(places[index] ?? 0, codes?.[number] ?? number);
      }
    }
    return places;
  }

  #codesOf(pack: UsagePack, key: PackKey): readonly number[] | undefined {
    return pack.namesOf(key)?.map((name) => this.#codeOf(key, name));
  }

  #codeOf(key: PackKey, name: Value): number {
    const codes = this.#codes.get(key) ?? new Map<Value, number>();
    const names = this.#names.get(key) ?? [];
    this.#codes.set(key, codes);
    this.#names.set(key, names);
    const known = codes.get(name);
    if (known !== undefined) return known;
    codes.set(name, names.length);
    return names.push(name) - 1;
  }

  /** Sums begin as zero. */
  #roomFor(measure: number): Float64Array {
    const sums = this.#sums[measure] ?? new Float64Array();
    if (sums.length >= this.count) return sums;
    const larger = new Float64Array(2 * this.count);
    larger.set(sums);
    this.#sums[measure] = larger;
    return larger;
  }
}

function placesIn(column: Numbers, isKept: (number: number) => boolean): Uint32Array {
  const found: number[] = [];
  for (let index = 0; index < column.length; index += 1) if (isKept(column[index] ?? 0)) found.push(index);
  return Uint32Array.from(found);
}
