import { RelayError } from '@headgate/relay';

/** Any failure in the words clients of OpenAI's API expect; what is not meant for them stays inside. */
export function asRelayError(error: unknown): RelayError {
  if (error instanceof RelayError) return error;
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new RelayError(statusCode, message ?? 'The request is not valid', null, 'invalid_request_error');
  }
  return new RelayError(500, 'Internal error');
}
