import type { JsonObject } from '../json-fields.ts';

/** Tells an event; the fields are the inside of a JSON object. */
export type Emit = (type: string, fields: string) => void;

/** Where an item stands in the output. */
export interface ItemPlace {
  readonly id: string;
  readonly index: number;
  readonly emit: Emit;
}

export type ItemStatus = 'completed' | 'incomplete';

/** A piece of output that is being told. */
export interface OpenItem {
  /** Tells its end. The item as it stands in the whole response. */
  close(status: ItemStatus): JsonObject;
}

/** The inside of a JSON object. */
export const fieldsOf = (value: JsonObject): string => JSON.stringify(value).slice(1, -1);

export const added = ({ index, emit }: ItemPlace, item: JsonObject): void =>
  emit('response.output_item.added', fieldsOf({ output_index: index, item }));

export function done({ index, emit }: ItemPlace, item: JsonObject): JsonObject {
  emit('response.output_item.done', fieldsOf({ output_index: index, item }));
  return item;
}
