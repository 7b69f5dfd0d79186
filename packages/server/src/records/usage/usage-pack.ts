import { type UsageMeasure, usageMeasures } from '@headgate/contract';
import * as z from 'zod/mini';
import type { UsagePackRow } from '../../platform/db/rows.ts';
import { DamagedPack } from './damaged-pack.ts';
import { type Numbers, unpackColumn } from './packed-column.ts';

export type PackKind = UsagePackRow['kind'];

/**
 * What tells the sums of a pack apart. Of an hour, all that is small by nature; of users, what they mostly have one of; of
 * token names, only those that many users have.
 */
export const packKeys = {
  site: ['channel', 'model_name', 'group'],
  site_day: ['channel', 'model_name', 'group'],
  users: ['user_id', 'model_name', 'group'],
  users_day: ['user_id', 'model_name', 'group'],
  tokens: ['token_name', 'channel', 'model_name', 'group'],
} as const satisfies Record<PackKind, readonly string[]>;

/** Those of hours, and of the days that are made of them. */
export const daysOf = { site: 'site_day', users: 'users_day' } as const;
/** Of token names there are hours alone: which names are told apart may differ from one to the next. */
export type HourKind = keyof typeof daysOf | 'tokens';

export type PackKey = (typeof packKeys)[PackKind][number];
export type PackColumn = PackKey | UsageMeasure;

/** Numbers of their own; the others are numbers of names. */
export const isNumber = (key: PackKey): key is 'user_id' => key === 'user_id';

/** Which making of which pack. */
export type PackAt = Pick<UsagePackRow, 'start' | 'version'>;

export type StoredPack = PackAt & Pick<UsagePackRow, 'names'> & Partial<Record<PackColumn, Uint8Array | null>>;

const namesOfPack = z.record(z.string(), z.array(z.union([z.string(), z.number()])));
type Names = z.infer<typeof namesOfPack>;

/** Packs of busy hours have the same names. */
const knownNames = new Map<string, Names>();
const mostKnown = 200;
/** Those of hundreds of models, or of token names; longer ones would be too much together. */
const longestKnown = 50_000;

function namesIn(text: string): Names {
  // trusted JSON: written by this program.
  const known = knownNames.get(text) ?? namesOfPack.parse(JSON.parse(text));
  if (text.length > longestKnown) return known;
  if (knownNames.size >= mostKnown) knownNames.clear();
  knownNames.set(text, known);
  return known;
}

const bytesOfPack = 500;
const bytesOfColumn = 200;
/** Of the names, as they are stored and once more as a list. */
const bytesOfCharacter = 3;

const packColumns: ReadonlySet<string> = new Set([...Object.values(packKeys).flat(), ...usageMeasures]);
const columnsOf = (stored: StoredPack) =>
  Object.keys(stored).filter((name): name is PackColumn => packColumns.has(name));

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

  get version(): number {
    return this.#stored.version;
  }

  /** What it takes of the memory, about. */
  get bytes(): number {
    let bytes = bytesOfPack + bytesOfCharacter * this.#stored.names.length;
    for (const column of columnsOf(this.#stored)) bytes += bytesOfColumn + (this.#stored[column]?.byteLength ?? 0);
    return bytes;
  }

  has(column: PackColumn): boolean {
    return this.#stored[column] !== undefined;
  }

  /** The same with columns that were read later. */
  with(other: UsagePack): UsagePack {
    return new UsagePack({ ...this.#stored, ...other.#stored });
  }

  /** How many sums it holds. A pack that was read without any measure holds none. */
  get length(): number {
    const measure = usageMeasures.find((each) => this.#stored[each]);
    return measure ? this.column(measure).length : 0;
  }

  column(name: PackColumn): Numbers {
    const known = this.#columns.get(name);
    if (known) return known;
    const column = this.#read(() => unpackColumn(this.#stored[name] ?? new Uint8Array()));
    this.#columns.set(name, column);
    return column;
  }

  /** What stands behind the numbers of a column; undefined where they stand for themselves. */
  namesOf(key: PackKey): readonly (string | number)[] | undefined {
    if (isNumber(key)) return undefined;
    this.#names ??= this.#read(() => namesIn(this.#stored.names));
    return this.#names[key] ?? [];
  }

  #read<T>(stored: () => T): T {
    try {
      return stored();
    } catch (error) {
      throw new DamagedPack(this.start, error);
    }
  }
}
