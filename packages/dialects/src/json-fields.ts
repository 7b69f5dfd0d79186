import { RequestProblem } from './problems.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function objectOf(value: unknown, at: string): JsonObject {
  if (isObject(value)) return value;
  throw new RequestProblem(at, `${at} must be an object`);
}

export function listOf(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new RequestProblem(at, `${at} must be a list`);
}

export function requiredText(value: unknown, at: string): string {
  if (typeof value === 'string') return value;
  throw new RequestProblem(at, `${at} must be text`);
}

export const optionalText = (value: unknown, at: string) => (value == null ? undefined : requiredText(value, at));

export function numberOf(value: unknown, at: string): number | undefined {
  if (value == null) return undefined;
  if (typeof value === 'number') return value;
  throw new RequestProblem(at, `${at} must be a number`);
}

export function booleanOf(value: unknown, at: string): boolean | undefined {
  if (value == null) return undefined;
  if (typeof value === 'boolean') return value;
  throw new RequestProblem(at, `${at} must be true or false`);
}
