import { type JsonAnswer, OutgoingFailure } from './ask-for-json.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The object in a JSON response. */
export function fieldsOf({ json }: JsonAnswer): Fields {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Fields;
  throw new OutgoingFailure('unreadable', 'the response is not a JSON object');
}

/** A text field of the response; empty if it is missing or not a text. */
export const textIn = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};
