import type { JsonObject } from '../json-fields.ts';

/** Emits an event; `fields` is the inside of a JSON object. */
export type Emit = (type: string, fields: string) => void;

/** Position of an item in the output. */
export interface ItemPlace {
  readonly id: string;
  readonly index: number;
  readonly emit: Emit;
}

export type ItemStatus = 'completed' | 'incomplete';

/** An output item in progress. */
export interface OpenItem {
  /** Emits the end of the item; returns the item of the whole response. */
  close(status: ItemStatus): JsonObject;
}

/** The inside of a JSON object. */
export const fieldsOf = (value: JsonObject): string => JSON.stringify(value).slice(1, -1);

export const emitAdded = ({ index, emit }: ItemPlace, item: JsonObject): void =>
  emit('response.output_item.added', fieldsOf({ output_index: index, item }));

export function emitDone({ index, emit }: ItemPlace, item: JsonObject): JsonObject {
  emit('response.output_item.done', fieldsOf({ output_index: index, item }));
  return item;
}
