import type { JsonObject } from './json-fields.ts';
import { RequestProblem } from './problems.ts';

/** Reads and validates a number that multiplies the price. Null counts as absent, as upstreams treat it. */
export function wholeNumberIn(body: JsonObject, name: string, least: number, most: number): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new RequestProblem(name, `${name} is invalid`);
  }
  return value;
}
