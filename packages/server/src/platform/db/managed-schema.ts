import type { ManagedKind } from '@headgate/contract';

/** Object that a configuration file manages, or managed before. */
export interface ManagedObjectTable {
  kind: ManagedKind;
  /** Name in the file. */
  name: string;
  /** Id of the object; 0 if it is only identified by name. */
  row_id: number;
  /** 0: no longer in the file, so it can be pruned. */
  in_file: number;
}
