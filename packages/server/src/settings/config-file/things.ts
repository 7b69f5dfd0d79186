import type { ManagedKind } from '@headgate/contract';
import type { SecretText } from './secret-text.ts';

export type FieldValue = string | number | boolean | SecretText;
export type Fields = Readonly<Record<string, FieldValue>>;

/** A thing as the file wants it. */
export interface Wanted<Given = unknown> {
  readonly name: string;
  /** All that can differ, as it is to be stored. */
  readonly fields: Fields;
  /** What its kind makes it of. */
  readonly given: Given;
}

/** A thing as it is stored. */
export interface Found {
  /** 0 where the name is all it is known by. */
  readonly id: number;
  readonly name: string;
  readonly fields: Fields;
}

export interface FieldChange {
  readonly field: string;
  /** Undefined: there was none. */
  readonly before: FieldValue | undefined;
  readonly after: FieldValue | undefined;
}

interface Named {
  readonly kind: ManagedKind;
  readonly name: string;
}

/** Made anew, or changed, by the kind's own means. */
export interface Written<Given = unknown> extends Named {
  readonly action: 'create' | 'change';
  readonly wanted: Wanted<Given>;
  /** Undefined: it is made. */
  readonly found: Found | undefined;
  readonly fields: readonly FieldChange[];
  /** Whether somebody else made what the file manages from now on. */
  readonly isTakenOver: boolean;
}

interface Adopted extends Named {
  readonly action: 'adopt';
  readonly found: Found;
}

/** It is no longer in the file. */
interface Left extends Named {
  readonly action: 'release' | 'delete';
  readonly found: Found;
}

export type PlannedChange = Written | Adopted | Left;
