import { isObject, type JsonObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';

/**
 * Reads a field of a request. Google accepts both `maxOutputTokens` and `max_output_tokens`; since its precedence is
 * unknown, a request with both is rejected. Null counts as absent.
 */
export function readField(source: JsonObject, name: string, at = ''): unknown {
  const other = snakeCase(name);
  const value = source[name];
  if (other === name) return value ?? undefined;
  const otherValue = source[other];
  if (value !== undefined && otherValue !== undefined) {
    throw new RequestProblem(
      pathOf(at, other),
      `${pathOf(at, other)} and ${name} are the same field. Send only one of them`,
    );
  }
  return value ?? otherValue ?? undefined;
}

const pathOf = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

/** Google accepts a single item instead of a list. */
export function toList(value: unknown, at: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  if (isObject(value)) return [value];
  throw new RequestProblem(at, `${at} must be a list`);
}

/** Cached snake-case spellings, for the few field names used in this code. */
const snakeNames = new Map<string, string>();

function snakeCase(name: string): string {
  const known = snakeNames.get(name);
  if (known !== undefined) return known;
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(name, snake);
  return snake;
}
