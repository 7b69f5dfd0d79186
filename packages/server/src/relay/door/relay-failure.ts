import { RequestProblem } from '@headgate/dialects';
import { outOfTouch, RelayError } from '@headgate/relay';
import { BodyRefusal } from '../../bodies/body-refusal.ts';
import { isOutOfReach } from '../../out-of-reach.ts';

/** Any failure in the words clients of OpenAI's API expect; what is not meant for them stays inside. */
export function asRelayError(error: unknown): RelayError {
  if (error instanceof RelayError) return error;
  if (error instanceof BodyRefusal) return refusedBody(error);
  if (error instanceof RequestProblem) return new RelayError(400, error.message, null, 'invalid_request_error');
  if (isOutOfReach(error)) return outOfTouch();
  const { statusCode, message } = (error ?? {}) as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new RelayError(statusCode, message ?? 'The request is not valid', null, 'invalid_request_error');
  }
  return new RelayError(500, 'Internal error');
}

/** Ours, and told to the caller in other words than it was: somebody must hear of it. */
export const isOurFault = (error: unknown, { status }: RelayError): boolean =>
  status === 500 || (status > 500 && !(error instanceof RelayError || error instanceof BodyRefusal));

function refusedBody({ statusCode, message, retryAfter }: BodyRefusal): RelayError {
  const isTheirs = retryAfter === undefined;
  const error = new RelayError(statusCode, message, null, isTheirs ? 'invalid_request_error' : 'headgate_error');
  error.retryAfter = retryAfter;
  return error;
}
