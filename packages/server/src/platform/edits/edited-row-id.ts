import type { EditableObject } from '@headgate/contract';

export interface EditedRowId {
  readonly thing: EditableObject;
  readonly id: number;
  /** Organization of the object, if it belongs to one. */
  readonly within: number;
}
