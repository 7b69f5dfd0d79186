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
    const reported = objectAt(body, 'base_resp');
    const code = numberAt(reported, 'status_code') ?? 0;
    if (code === 0) return undefined;
    return new UpstreamProblem(
      statuses[code] ?? 502,
      textAt(reported, 'status_msg') || `The upstream returned code ${code}`,
      String(code),
    );
  },
};

const emptyPurse = 'exceeded_current_quota_error';

/** Moonshot returns 429 for an account without credit, but waiting does not help. */
export function readMoonshotProblem(_status: number, body: unknown): UpstreamProblem | undefined {
  const error = objectAt(body, 'error');
  if (textAt(error, 'type') !== emptyPurse) return undefined;
  return new UpstreamProblem(402, textAt(error, 'message') || 'The upstream account has no credit left', emptyPurse);
}
