import { type JsonAnswer, OutgoingFailure } from './ask-for-json.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The object that another service answered with. */
export function fieldsOf({ json }: JsonAnswer): Fields {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Fields;
  throw new OutgoingFailure('unreadable', 'the answer is not an object');
}

/** A text of the answer; empty when it is absent or something else. */
export const textIn = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};
