import type { IncomingMessage } from 'node:http';
import { type Dialect, openaiLimitHeaders, RequestProblem } from '@headgate/dialects';
import { outOfTouch, RelayError } from '@headgate/relay';
import type { FastifyBaseLogger } from 'fastify';
import { BodyRefusal } from '../../http/bodies/body-refusal.ts';
import { isReusable } from '../../http/bodies/end-before-body.ts';
import { isLoginRejected, isOutOfReach } from '../../platform/errors/out-of-reach.ts';
import { storageUnavailable } from '../../platform/storage/storage-error.ts';
import { storageFaultOf } from '../../platform/storage/storage-fault.ts';
import { relayHeaders } from './relay-headers.ts';

/** Statuses of errors that the same request meets again. SDKs of OpenAI and Anthropic heed `x-should-retry`. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** A call of the relay that failed before anything was answered. */
interface FailedCall {
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** The words of the API that the caller speaks. */
  readonly dialect: Dialect;
  readonly logger: FastifyBaseLogger;
}

interface FailureReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer to any failure, as the caller's dialect writes it; one that is our own fault is logged as well. */
export function failureReply(error: unknown, { request, requestId, dialect, logger }: FailedCall): FailureReply {
  const failure = asRelayError(error);
  if (isOurFault(error, failure)) logger.error({ err: error, reqId: requestId }, 'relay failed');
  const told = dialect.writeError(failure.asFailure(requestId));
  const body = JSON.stringify(told.body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...(failure.retryAfter !== undefined && { 'retry-after': String(failure.retryAfter) }),
    ...(finalStatuses.has(told.status) && { 'x-should-retry': 'false' }),
    ...(failure.limits && (dialect.limitHeaders?.(failure.limits, Date.now()) ?? openaiLimitHeaders(failure.limits))),
    // The rest of a body that nobody will read would be taken for the next request.
    ...(!isReusable(request, told.status) && { connection: 'close' }),
    ...requestIdHeaders(requestId, dialect.requestIdHeader),
    ...relayHeaders,
  };
  return { status: told.status, headers, body };
}

/** Any failure as the relay's own kind of error; the words of an internal one stay inside. */
export function asRelayError(error: unknown): RelayError {
  if (error instanceof RelayError) return error;
  if (error instanceof BodyRefusal) return refusedBody(error);
  if (error instanceof RequestProblem) return new RelayError(400, error.message, null, 'invalid_request_error');
  if (isOutOfReach(error) || isLoginRejected(error)) return outOfTouch();
  const fault = storageFaultOf(error);
  if (fault) return storageUnavailable(fault);
  const { statusCode, message } = (error ?? {}) as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new RelayError(statusCode, message ?? 'The request is not valid', null, 'invalid_request_error');
  }
  return new RelayError(500, 'Internal error');
}

/** Whether the caller is told something else than what happened, so that the log has to say it. */
const isOurFault = (error: unknown, { status }: RelayError): boolean =>
  status === 500 || (status > 500 && !(error instanceof RelayError || error instanceof BodyRefusal));

function refusedBody({ statusCode, message, retryAfter }: BodyRefusal): RelayError {
  const isTheirs = retryAfter === undefined;
  const error = new RelayError(statusCode, message, null, isTheirs ? 'invalid_request_error' : 'headgate_error');
  error.retryAfter = retryAfter;
  return error;
}

/** The request id under each header name that clients read. */
const requestIdHeaders = (requestId: string, header?: string): Readonly<Record<string, string>> => ({
  'x-request-id': requestId,
  ...(header !== undefined && { [header]: requestId }),
});
