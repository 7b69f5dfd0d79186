import type { ManagedThing } from '@headgate/contract';

/** That a configuration file manages a thing, or once did. */
export interface Mark extends ManagedThing {
  readonly isInFile: boolean;
}

/** All marks, as whoever applies a file reads and writes them. */
export interface Marks {
  /** Until the transaction ends nobody else applies one, and nobody changes what one could manage. */
  lock(): Promise<void>;
  /** Until the transaction ends nobody applies one; others may change things. For who only looks what it would do. */
  lockOut(): Promise<void>;
  marks(): Promise<Mark[]>;
  replaceAll(marks: readonly Mark[]): Promise<void>;
}
