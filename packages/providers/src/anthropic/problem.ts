import { isObject, UpstreamProblem } from '@headgate/dialects';
import { defaultProblem } from '../default-problem.ts';

const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 502,
  timeout_error: 504,
  overloaded_error: 503,
};

const overloaded = 529;

/** Maps an error response whose status is misleading. */
export function readMessagesProblem(status: number, body: unknown): UpstreamProblem | undefined {
  const problem = defaultProblem(status, body);
  // Anthropic reports an empty or closed account as an invalid request. Only the start is matched, because the
  // message may quote a request.
  if (status === 400 && problem.message.startsWith('Your credit balance is too low')) return withStatus(problem, 402);
  if (status === 400 && problem.message.startsWith('This organization has been disabled')) {
    return withStatus(problem, 403);
  }
  return status === overloaded ? withStatus(problem, 503) : undefined;
}

/** Reads an error inside a 200, whole or in a stream. */
export function problemInside(body: unknown): UpstreamProblem {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const status = typeof error['type'] === 'string' ? statuses[error['type']] : undefined;
  return defaultProblem(status ?? 502, body, 'The upstream returned an error');
}

const withStatus = (problem: UpstreamProblem, status: number) =>
  new UpstreamProblem(status, problem.message, problem.code, problem.type);
