import { stripControlCharacters } from '@headgate/contract';
import { invalidScimRequest } from './scim-error.ts';

/** Maximum length of an attribute. */
const maxTextLength = 255;

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function requireFields(value: unknown, name: string): Fields {
  if (isFields(value)) return value;
  throw invalidScimRequest('invalidValue', `${name} must be an object.`);
}

/** Text of an attribute without control characters; empty for null. */
export function textOf(value: unknown, name: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') throw invalidScimRequest('invalidValue', `${name} must be a string.`);
  const text = stripControlCharacters(value).normalize('NFC').trim();
  if (text.length > maxTextLength)
    throw invalidScimRequest('invalidValue', `${name} is longer than ${maxTextLength} characters.`);
  return text;
}

export function requiredTextOf(value: unknown, name: string): string {
  const text = textOf(value, name);
  if (text === '') throw invalidScimRequest('invalidValue', `${name} is required.`);
  return text;
}

/** A boolean, possibly as text: Entra sends "True" and "False". */
export function booleanOf(value: unknown, name: string): boolean {
  const text = String(value).toLowerCase();
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw invalidScimRequest('invalidValue', `${name} must be true or false.`);
}

/** Values of a multi-valued attribute; a single value may be sent without an array. */
export function listOf(value: unknown, name: string, limit: number): readonly unknown[] {
  if (value === null || value === undefined) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > limit) throw invalidScimRequest('tooMany', `${name} has more than ${limit} values.`);
  return list;
}
