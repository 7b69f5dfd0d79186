import { type JsonResponse, OutgoingError } from './request-json.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The object in a JSON response. */
export function jsonFields({ json }: JsonResponse): Fields {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Fields;
  throw new OutgoingError('unreadable', 'the response is not a JSON object');
}

/** A string field of the response; empty if it is missing or not a string. */
export const stringField = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};
