import { type Endpoint, errorCodeHeader, totalHeader } from '@headgate/contract';
import { isErrorStatus } from '@headgate/dialects';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ApiErrorCode } from '../platform/errors/api-error.ts';
import { isDatabaseUnreachable, isLoginRejected } from '../platform/errors/database-unreachable.ts';
import { classifyStorageFault } from '../platform/storage/storage-health.ts';
import { BodyError } from './bodies/body-budget.ts';
import { requestLanguage } from './client.ts';

/** Retry-After in seconds: a restarted database is usually back by then. */
const databaseRetrySeconds = '5';

/** Retry-After in seconds when the operator has to act first. */
const storageRetrySeconds = '30';

const unstorable = { full: 'diskFull', 'read-only': 'databaseReadOnly', failing: 'diskFails' } as const;

/** Statuses for which a retry may succeed. */
const isTemporary: ReadonlySet<number> = new Set([429, 503]);

/** Converts every thrown error into a response; no other code does. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { status, code, message, retryAfter } = describeError(error, request);
    // The unread rest of the body would be parsed as the next request.
    if (!request.raw.complete) reply.header('connection', 'close');
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    reply.header(errorCodeHeader, code);
    // A file that failed before its first byte has already set its headers.
    reply.removeHeader('content-disposition').removeHeader(totalHeader).type('application/json; charset=utf-8');
    return reply.code(errorStatus({ status, code }, request)).send({ success: false, message });
  });
}

interface ErrorDescription {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly message: string;
  /** Value of Retry-After. */
  readonly retryAfter: string | number | undefined;
}

/** Status, code and message of a thrown error; logs it if it is a fault of the gateway. */
export function describeError(error: Error, request: FastifyRequest): ErrorDescription {
  const rejection = asApiError(error, request);
  const { status, code } = rejection;
  if (status === 500) request.log.error({ err: error }, 'request failed');
  const seconds = rejection instanceof ApiError && isTemporary.has(status) ? rejection.values['seconds'] : undefined;
  return {
    status,
    code,
    message: rejection.messageIn(requestLanguage(request)),
    retryAfter: typeof seconds === 'string' ? seconds : error instanceof BodyError ? error.retryAfter : undefined,
  };
}

function asApiError(
  error: Error & Partial<FastifyError>,
  request: FastifyRequest,
): Pick<ApiError, 'status' | 'code' | 'messageIn'> {
  if (error instanceof ApiError) return error;
  // A rejected body, or one of Fastify's own errors (invalid JSON, unknown type). Their messages contain no secrets.
  const isClientFault = isErrorStatus(error.statusCode ?? 0) && Number(error.statusCode) < 500;
  if (isClientFault || error instanceof BodyError) {
    const rejection = new ApiError('badInput', { detail: error.message });
    return {
      status: error.statusCode ?? 400,
      code: rejection.code,
      messageIn: (language) => rejection.messageIn(language),
    };
  }
  if (isDatabaseUnreachable(error)) {
    request.log.warn({ err: error }, 'the database is unreachable');
    return new ApiError('databaseAway', { seconds: databaseRetrySeconds });
  }
  if (isLoginRejected(error)) {
    request.log.error({ err: error }, 'the database rejects the login: check DATABASE_URL');
    return new ApiError('databaseRejects', { seconds: storageRetrySeconds });
  }
  const fault = classifyStorageFault(error);
  if (fault !== undefined) {
    request.log.error({ err: error, fault }, 'failed to store a change');
    return new ApiError(unstorable[fault], { seconds: storageRetrySeconds });
  }
  return new ApiError('internal', { requestId: String(request.id) });
}

const preference = 'plain-responses';

/**
 * True if the client sends `Prefer: plain-responses`: data without the envelope, and an error status for every error.
 */
const prefersPlain = ({ headers }: FastifyRequest): boolean =>
  [headers['prefer'] ?? []]
    .flat()
    .flatMap((list) => list.split(','))
    .some((name) => name.trim().toLowerCase() === preference);

/** Endpoints with fields next to `data` keep their envelope. */
export const isUnwrapped = ({ top }: Endpoint, request: FastifyRequest): boolean => !top && prefersPlain(request);

/** Sends the data as JSON; an empty object if there is none, because generic clients parse every response. */
export function sendUnwrapped(reply: FastifyReply, data: unknown): FastifyReply {
  return reply
    .header('preference-applied', preference)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(data ?? {}));
}

const absent: ReadonlySet<string> = new Set(['notFound', 'unknownUser', 'unknownOption']);

/** Status of an error. Errors that return 200 for compatibility get an error status in plain responses. */
function errorStatus({ status, code }: Pick<ApiError, 'status' | 'code'>, request: FastifyRequest): number {
  if (status !== 200 || !prefersPlain(request)) return status;
  return absent.has(code) ? 404 : 400;
}
