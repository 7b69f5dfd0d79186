import { listAt, objectAt, textAt, UpstreamProblem } from '@headgate/dialects';
import { defaultProblem } from '../default-problem.ts';

/**
 * Reads Google's errors: it returns 400 for an invalid key or a forbidden country, which would look like a client
 * error.
 */
export function readGeminiProblem(status: number, body: unknown): UpstreamProblem {
  const { message } = defaultProblem(status, body);
  const error = objectAt(Array.isArray(body) ? (body as readonly unknown[])[0] : body, 'error');
  const reasons = listAt(error, 'details').map((detail) => textAt(detail, 'reason'));
  const code = textAt(error, 'status') || null;
  // Only the start is matched, because the message may quote the request.
  if (reasons.includes('API_KEY_INVALID') || /^api key (?:not valid|expired)/i.test(message)) {
    return new UpstreamProblem(401, message, 'invalid_api_key');
  }
  return new UpstreamProblem(code === 'FAILED_PRECONDITION' ? 403 : status, message, code);
}
