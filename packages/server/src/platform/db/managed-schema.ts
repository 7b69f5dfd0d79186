import type { ManagedKind } from '@headgate/contract';

/** A thing that a configuration file manages, or once did. */
export interface ManagedThingTable {
  kind: ManagedKind;
  /** What the file calls it. */
  name: string;
  /** Its id; 0 where it is known by its name alone. */
  row_id: number;
  /** 0: it is no longer in the file, and may be pruned. */
  in_file: number;
}
