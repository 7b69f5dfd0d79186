import type { ManagedThing } from '@headgate/contract';

/** Records that a configuration file manages an object, or once did. */
export interface Mark extends ManagedThing {
  readonly isInFile: boolean;
}

/** All marks, as read and written by an apply. */
export interface Marks {
  /** Blocks other applies and changes of managed objects until the transaction ends. */
  lock(): Promise<void>;
  /** Blocks applies until the transaction ends, but allows changes; used for previews. */
  lockOut(): Promise<void>;
  marks(): Promise<Mark[]>;
  replaceAll(marks: readonly Mark[]): Promise<void>;
}
