import type { ManagedKind } from '@headgate/contract';
import type { SecretText } from './secret-text.ts';

export type FieldValue = string | number | boolean | SecretText;
export type Fields = Readonly<Record<string, FieldValue>>;

/** An object as the file defines it. */
export interface Wanted<Given = unknown> {
  readonly name: string;
  /** All comparable fields, as stored. */
  readonly fields: Fields;
  /** Input for creating it. */
  readonly given: Given;
}

/** A stored object. */
export interface Found {
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
export interface Written<Given = unknown> extends Named {
  readonly action: 'create' | 'change';
  readonly wanted: Wanted<Given>;
  /** Undefined for a creation. */
  readonly found: Found | undefined;
  readonly fields: readonly FieldChange[];
  /** True if the object existed without being managed by the file. */
  readonly isTakenOver: boolean;
}

interface Adopted extends Named {
  readonly action: 'adopt';
  readonly found: Found;
}

/** Removed from the file. */
interface Left extends Named {
  readonly action: 'release' | 'delete';
  readonly found: Found;
}

export type PlannedChange = Written | Adopted | Left;
