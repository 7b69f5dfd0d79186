import { numberAt, objectAt, textAt, UpstreamProblem } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Statuses by MiniMax's error number; any other number is a server error. */
const statuses: Readonly<Record<number, number>> = {
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 400,
  1027: 400,
  1039: 429,
  1041: 429,
  1042: 400,
  2013: 400,
  2049: 401,
  2056: 402,
};

/** MiniMax always returns 200 and reports the real status in the body. */
export const miniMaxHiddenError = {
  field: 'base_resp',
  read(body: JsonObject): UpstreamProblem | undefined {
    const told = objectAt(body, 'base_resp');
    const code = numberAt(told, 'status_code') ?? 0;
    if (code === 0) return undefined;
    return new UpstreamProblem(
      statuses[code] ?? 502,
      textAt(told, 'status_msg') || `The upstream returned code ${code}`,
      String(code),
    );
  },
};
