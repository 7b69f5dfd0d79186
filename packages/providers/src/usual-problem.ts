import { isErrorStatus, UpstreamProblem } from './problems.ts';
import type { JsonObject } from './provider.ts';

/** Reads an error where most upstreams put it: under `error`, or at the top, in one of the usual words. */
export function usualProblem(status: number, body: unknown, wordless = `The upstream answered with status ${status}`) {
  const top = objectIn(Array.isArray(body) ? body[0] : body);
  const error = top?.['error'];
  if (typeof error === 'string' && error !== '')
    return new UpstreamProblem(status, textIn(top, ['message', 'error_description']) ?? error, error);
  const source = objectIn(error) ?? firstOf(top?.['errors']) ?? top;
  const code = source?.['code'] ?? source?.['error_code'];
  return new UpstreamProblem(
    status,
    textIn(source, ['message', 'msg', 'error_msg', 'detail', 'Message']) ?? wordless,
    typeof code === 'string' || typeof code === 'number' ? String(code) : null,
    textIn(source, ['type']) ?? 'upstream_error',
  );
}

/** Reads an error that came inside a 200: its code may be the status that it should have had. */
export function problemInside(body: unknown, wordless?: string): UpstreamProblem {
  const problem = usualProblem(502, body, wordless);
  return isErrorStatus(Number(problem.code)) ? usualProblem(Number(problem.code), body, wordless) : problem;
}

const objectIn = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

const firstOf = (value: unknown) => (Array.isArray(value) ? objectIn(value[0]) : undefined);

function textIn(source: JsonObject | undefined, names: readonly string[]): string | undefined {
  const found = names.map((name) => source?.[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : undefined;
}
