import { isObject, numberAt, textAt, UpstreamProblem } from '@headgate/dialects';

/** Coze's own codes, also sent with status 200. */
const statuses: ReadonlyMap<number, number> = new Map([
  [4008, 402],
  [4009, 429],
  [4011, 402],
  [4013, 429],
  [4015, 404],
  [4027, 402],
  [4028, 402],
  [4100, 401],
  [4101, 403],
  [4200, 404],
  [700_012_006, 401],
]);

export function readCozeProblem(status: number, body: unknown): UpstreamProblem | undefined {
  const code = isObject(body) ? numberAt(body, 'code') : undefined;
  return code === undefined || code === 0 ? undefined : problemOf(body, status);
}

/** Error in a body, an event or a bot's last error; an error status of the response takes precedence. */
export function problemOf(source: unknown, status = 200): UpstreamProblem {
  const code = numberAt(source, 'code') ?? 0;
  const shown = statuses.get(code) ?? (status >= 400 ? status : statusOf(code));
  return new UpstreamProblem(
    shown,
    textAt(source, 'msg') || 'The upstream aborted the response',
    code === 0 ? null : String(code),
  );
}

const statusOf = (code: number) => (code >= 4000 && code < 5000 ? 400 : 502);
