import type { ManagedKind } from '@headgate/contract';
import type { SecretText } from './secret-text.ts';

export type FieldValue = string | number | boolean | SecretText;
export type Fields = Readonly<Record<string, FieldValue>>;

/** An object as the file defines it. */
export interface DesiredObject<Given = unknown> {
  readonly name: string;
  /** All comparable fields, as stored. */
  readonly fields: Fields;
  /** Name of the stored object to rename, if no object has the new name yet. */
  readonly previousName?: string | undefined;
  /** Input for creating it. */
  readonly input: Given;
}

/** A stored object. */
export interface StoredObject {
  /** 0 for objects that are identified only by their name. */
  readonly id: number;
  readonly name: string;
  readonly fields: Fields;
}

export interface FieldChange {
  readonly field: string;
  /** Undefined when it did not exist. */
  readonly before: FieldValue | undefined;
  readonly after: FieldValue | undefined;
}

interface Named {
  readonly kind: ManagedKind;
  readonly name: string;
}

/** A creation or change, written by its kind. */
export interface WrittenChange<Given = unknown> extends Named {
  readonly action: 'create' | 'change';
  readonly wanted: DesiredObject<Given>;
  /** Undefined for a creation. */
  readonly found: StoredObject | undefined;
  readonly fields: readonly FieldChange[];
  /** True if the object already existed but was not managed by the file. */
  readonly isTakenOver: boolean;
}

interface TakenOverChange extends Named {
  readonly action: 'adopt';
  readonly found: StoredObject;
}

/** An object that was removed from the file. */
interface RemovedChange extends Named {
  readonly action: 'release' | 'delete';
  readonly found: StoredObject;
}

export type PlannedChange = WrittenChange | TakenOverChange | RemovedChange;
