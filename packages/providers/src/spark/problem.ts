import { numberAt, textAt, UpstreamProblem } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Statuses by Spark's error number; any other number is a server error. */
const statuses: Readonly<Record<number, number>> = {
  10003: 400,
  10004: 400,
  10005: 400,
  10007: 429,
  10008: 503,
  10013: 400,
  10014: 400,
  10015: 403,
  10016: 403,
  10019: 400,
  10110: 503,
  10163: 400,
  10907: 400,
  11200: 403,
  11201: 429,
  11202: 429,
  11203: 429,
};

/** Error code in a frame's header or at the top of a response. */
export function sparkProblem(told: unknown): UpstreamProblem | undefined {
  const code = numberAt(told, 'code') ?? 0;
  if (code === 0) return undefined;
  const message = textAt(told, 'message') || `The upstream returned code ${code}`;
  return new UpstreamProblem(statuses[code] ?? 502, message, String(code));
}

export const sparkHiddenError = { field: 'code', read: (body: JsonObject) => sparkProblem(body) };
