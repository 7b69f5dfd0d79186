import { isObject, type JsonObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';

/**
 * A field of a request. Google takes its names in two spellings, `maxOutputTokens` and `max_output_tokens`: which of
 * them counts when both are given is not known, so that is refused. Null is as good as absent.
 */
export function fieldOf(source: JsonObject, name: string, at = ''): unknown {
  const other = snakeCase(name);
  const value = source[name];
  if (other === name) return value ?? undefined;
  const otherValue = source[other];
  if (value !== undefined && otherValue !== undefined) {
    throw new RequestProblem(pathOf(at, other), `${pathOf(at, other)} is given as ${name} too`);
  }
  return value ?? otherValue ?? undefined;
}

const pathOf = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

/** Google takes one thing where a list of them is meant. */
export function oneOrMore(value: unknown, at: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  if (isObject(value)) return [value];
  throw new RequestProblem(at, `${at} must be a list`);
}

/** Snake-case spellings that were worked out before; only names in this code are asked for, which are few. */
const snakeNames = new Map<string, string>();

function snakeCase(name: string): string {
  const known = snakeNames.get(name);
  if (known !== undefined) return known;
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(name, snake);
  return snake;
}
