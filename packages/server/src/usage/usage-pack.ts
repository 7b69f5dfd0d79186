import { type UsageMeasure, usageMeasures } from '@headgate/contract';
import type { UsagePackRow } from '../db/rows.ts';
import { type Numbers, unpackColumn } from './packed-column.ts';

export type PackKind = UsagePackRow['kind'];

/** What tells the sums of a pack apart. Of an hour, all that is small by nature; of users, what they mostly have one of. */
export const packKeys = {
  site: ['channel', 'model_name', 'group'],
  site_day: ['channel', 'model_name', 'group'],
  users: ['user_id', 'model_name', 'group'],
  users_day: ['user_id', 'model_name', 'group'],
} as const satisfies Record<PackKind, readonly string[]>;

/** Those of hours, and of the days that are made of them. */
export const daysOf = { site: 'site_day', users: 'users_day' } as const;
export type HourKind = keyof typeof daysOf;

export type PackKey = (typeof packKeys)[PackKind][number];
export type PackColumn = PackKey | UsageMeasure;

/** Numbers of their own; the others are numbers of names. */
export const isNumber = (key: PackKey): key is 'user_id' => key === 'user_id';

export type StoredPack = Pick<UsagePackRow, 'start' | 'rows' | 'names'> &
  Partial<Record<PackColumn, Uint8Array | null>>;

type Names = Readonly<Record<string, readonly (string | number)[]>>;

/** Packs of busy hours have the same names. */
const knownNames = new Map<string, Names>();
const mostKnown = 200;

function namesIn(text: string): Names {
  const known = knownNames.get(text) ?? (JSON.parse(text) as Names);
  if (knownNames.size >= mostKnown) knownNames.clear();
  knownNames.set(text, known);
  return known;
}

/** A pack as it was stored, unpacked as far as it is looked at. */
export class UsagePack {
  readonly #stored: StoredPack;
  readonly #columns = new Map<PackColumn, Numbers>();
  #names: Names | undefined;

  constructor(stored: StoredPack) {
    this.#stored = stored;
  }

  get start(): number {
    return this.#stored.start;
  }

  /** How many sums it holds. A pack that was read without any measure holds none. */
  get length(): number {
    const measure = usageMeasures.find((each) => this.#stored[each]);
    return measure ? this.column(measure).length : 0;
  }

  column(name: PackColumn): Numbers {
    const known = this.#columns.get(name);
    if (known) return known;
    const stored = this.#stored[name];
    if (!stored) throw new Error(`The pack of ${this.start} has no ${name}.`);
    const column = unpackColumn(stored);
    this.#columns.set(name, column);
    return column;
  }

  /** What stands behind the numbers of a column; undefined where they stand for themselves. */
  namesOf(key: PackKey): readonly (string | number)[] | undefined {
    if (isNumber(key)) return undefined;
    this.#names ??= namesIn(this.#stored.names);
    return this.#names[key] ?? [];
  }
}
