import type { ErrorResponse, Failure } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { eventOf } from './events.ts';

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Anthropic's overload status; clients back off on it. */
const overloaded = 529;

const typeOf = (status: number): string => types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');

const errorBody = ({ status, message, requestId }: Failure): JsonObject => ({
  type: 'error',
  error: { type: typeOf(status), message },
  request_id: requestId,
});

export const writeError = (failure: Failure): ErrorResponse => ({
  status: failure.status === 503 ? overloaded : failure.status,
  body: errorBody(failure),
});

export const writeErrorEvent = (failure: Failure): string => eventOf('error', errorBody(failure));
