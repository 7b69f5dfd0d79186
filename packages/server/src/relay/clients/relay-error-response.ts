import type { IncomingMessage } from 'node:http';
import { type Dialect, limitHeaderNames, openaiLimitHeaders, RequestProblem } from '@headgate/dialects';
import { databaseUnreachableError, RelayError } from '@headgate/relay';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { BodyError } from '../../http/bodies/body-budget.ts';
import { isConnectionReusable } from '../../http/bodies/early-response.ts';
import { inertContentHeaders } from '../../http/security-headers.ts';
import { isDatabaseUnreachable, isLoginRejected } from '../../platform/errors/database-unreachable.ts';
import { classifyStorageFault, storageUnavailableError } from '../../platform/storage/storage-health.ts';
import { rejectBrowserContent } from './browser-guard.ts';

/** Error statuses that a retry cannot fix. OpenAI and Anthropic SDKs honor `x-should-retry`. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** A relay request that failed before a response was sent. */
interface FailedCall {
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** Dialect of the caller. */
  readonly dialect: Dialect;
  readonly logger: FastifyBaseLogger;
}

interface FailureReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Error response in the caller's dialect. Internal errors are also logged. */
export function errorResponse(error: unknown, { request, requestId, dialect, logger }: FailedCall): FailureReply {
  const failure = asRelayError(error);
  if (isInternalError(error, failure)) logger.error({ err: error, reqId: requestId }, 'relay failed');
  const response = dialect.writeError(failure.asFailure(requestId));
  const body = JSON.stringify(response.body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...(failure.retryAfter !== undefined && { 'retry-after': String(failure.retryAfter) }),
    ...(finalStatuses.has(response.status) && { 'x-should-retry': 'false' }),
    ...(failure.limits && (dialect.limitHeaders?.(failure.limits, Date.now()) ?? openaiLimitHeaders(failure.limits))),
    // Unread remaining bytes of the body would be parsed as the next request.
    ...(!isConnectionReusable(request, response.status) && { connection: 'close' }),
    ...requestIdHeaders(requestId, dialect.requestIdHeader),
    ...relayHeaders,
  };
  return { status: response.status, headers, body };
}

/** Converts any error to a RelayError; the message of an internal error is not exposed. */
export function asRelayError(error: unknown): RelayError {
  if (error instanceof RelayError) return error;
  if (error instanceof BodyError) return bodyRejection(error);
  if (error instanceof RequestProblem) return new RelayError(400, error.message, null, 'invalid_request_error');
  if (isDatabaseUnreachable(error) || isLoginRejected(error)) return databaseUnreachableError();
  const fault = classifyStorageFault(error);
  if (fault) return storageUnavailableError(fault);
  const { statusCode, message } = (error ?? {}) as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new RelayError(statusCode, message ?? 'The request is invalid', null, 'invalid_request_error');
  }
  return new RelayError(500, 'Internal error');
}

/** True if the client receives a generic error, so that the cause must be logged. */
const isInternalError = (error: unknown, { status }: RelayError): boolean =>
  status === 500 || (status > 500 && !(error instanceof RelayError || error instanceof BodyError));

function bodyRejection({ statusCode, message, retryAfter }: BodyError): RelayError {
  const isTheirs = retryAfter === undefined;
  const error = new RelayError(statusCode, message, null, isTheirs ? 'invalid_request_error' : 'headgate_error');
  error.retryAfter = retryAfter;
  return error;
}

/** The request id under every header name that clients read. */
const requestIdHeaders = (requestId: string, header?: string): Readonly<Record<string, string>> => ({
  'x-request-id': requestId,
  ...(header !== undefined && { [header]: requestId }),
});

/**
 * Headers of every relay response. Pages of any site may call the relay, but never with a cookie: only the token in the
 * request grants access.
 */
export const relayHeaders = {
  ...inertContentHeaders,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    ...['x-request-id', 'request-id', 'retry-after', 'x-should-retry', 'x-headgate-ignored'],
    ...limitHeaderNames,
  ].join(', '),
} as const;

const preflight = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  // The wildcard does not cover Authorization.
  'access-control-allow-headers': 'Authorization, *',
  'access-control-max-age': '86400',
} as const;

/** Ollama endpoints, which share the /api prefix with the console API. */
const ollamaPaths = ['tags', 'chat', 'generate', 'show', 'embed', 'version'].map((name) => `/api/${name}`);

/** Allows pages of other sites on every route of this plugin, but rejects navigation and forms. */
export function allowCrossOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(relayHeaders);
    rejectBrowserContent(request.headers);
  });
  for (const path of ['/v1/*', '/v1beta/*', '/dashboard/*', ...ollamaPaths]) {
    app.options(path, { config: { isRelayed: true } }, (_request, reply) => reply.code(204).headers(preflight).send());
  }
}
