import type { ManagedObject } from '@headgate/contract';

/** Records that a configuration file manages, or once managed, an object. */
export interface ManagedMark extends ManagedObject {
  readonly isInFile: boolean;
}

/** All marks, as read and written by an apply. */
export interface ManagedMarks {
  /** Blocks other applies and changes of managed objects until the transaction ends. */
  lock(): Promise<void>;
  /** Blocks applies until the transaction ends, but allows changes; used for previews. */
  lockOut(): Promise<void>;
  marks(): Promise<ManagedMark[]>;
  replaceAll(marks: readonly ManagedMark[]): Promise<void>;
}
