import type { EditableObject } from '@headgate/contract';

export interface EditedRowId {
  readonly thing: EditableObject;
  readonly id: number;
  /** Organization of the object, for objects of organizations. */
  readonly within: number;
}
