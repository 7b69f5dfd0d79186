import { listAt, objectAt, textAt, UpstreamProblem } from '@headgate/dialects';
import { usualProblem } from '../usual-problem.ts';

/** Google answers a wrong key and a forbidden country with 400, which would read as the client's fault. */
export function readGeminiProblem(status: number, body: unknown): UpstreamProblem {
  const { message } = usualProblem(status, body);
  const error = objectAt(Array.isArray(body) ? (body as readonly unknown[])[0] : body, 'error');
  const reasons = listAt(error, 'details').map((detail) => textAt(detail, 'reason'));
  const code = textAt(error, 'status') || null;
  // Behind its beginning the message may quote the request.
  if (reasons.includes('API_KEY_INVALID') || /^api key (?:not valid|expired)/i.test(message)) {
    return new UpstreamProblem(401, message, 'invalid_api_key');
  }
  return new UpstreamProblem(code === 'FAILED_PRECONDITION' ? 403 : status, message, code);
}
