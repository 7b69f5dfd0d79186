import type { ErrorResponse, Failure } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';

/** Google's status names. */
const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};

const statusName = (status: number) => statusNames[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');

export const writeError = (failure: Failure): ErrorResponse => ({ status: failure.status, body: errorBody(failure) });

export const writeErrorEvent = (failure: Failure): string => `data: ${JSON.stringify(errorBody(failure))}\n\n`;

export const errorBody = (failure: Failure): JsonObject => ({
  error: {
    code: failure.status,
    message: `${failure.message} (request id: ${failure.requestId})`,
    status: statusName(failure.status),
    details: detailsOf(failure),
  },
});

function detailsOf({ message, type, code, param, requestId }: Failure): readonly JsonObject[] {
  const reason = (code ?? type).toUpperCase();
  return [
    { '@type': `${types}ErrorInfo`, reason, domain: 'headgate', metadata: { requestId } },
    ...(param === null
      ? []
      : [{ '@type': `${types}BadRequest`, fieldViolations: [{ field: param, description: message }] }]),
  ];
}

const types = 'type.googleapis.com/google.rpc.';
