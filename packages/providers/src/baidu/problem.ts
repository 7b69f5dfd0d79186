import { numberAt, textAt, UpstreamProblem } from '@headgate/dialects';

/** Statuses by error number: Baidu returns 200 with an error number; unknown numbers are server errors. */
const statuses: Readonly<Record<number, number>> = {
  3: 400,
  4: 429,
  6: 403,
  13: 401,
  14: 401,
  17: 402,
  18: 429,
  19: 402,
  100: 401,
  110: 401,
  111: 401,
  336001: 400,
  336002: 400,
  336003: 400,
  336006: 400,
  336007: 400,
  336100: 503,
  336103: 400,
  336104: 400,
  336105: 400,
  336501: 429,
  336502: 429,
};

export function readBaiduProblem(_status: number, body: unknown): UpstreamProblem | undefined {
  const code = numberAt(body, 'error_code');
  if (code === undefined) return undefined;
  const message = textAt(body, 'error_msg') || `The upstream returned code ${code}`;
  return new UpstreamProblem(statuses[code] ?? 502, message, String(code));
}
