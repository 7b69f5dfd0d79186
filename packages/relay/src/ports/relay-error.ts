import type { LogEndCause } from '@headgate/contract';
import { type Failure, isErrorStatus, type JsonObject, openaiChat, type RemainingLimits } from '@headgate/dialects';

/** A failure in the form that OpenAI clients expect. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  /** Seconds after which a retry may succeed; undefined when unknown. */
  retryAfter: number | undefined;

  /** Remaining limits that caused the error; undefined for other errors. */
  limits: RemainingLimits | undefined;

  /** The invalid field, if there is one. */
  param: string | null = null;

  /** True if a log entry exists for the error. */
  isRecorded = false;

  constructor(status: number, message: string, code: string | null = null, type = 'headgate_error') {
    super(message);
    this.status = isErrorStatus(status) ? status : 500;
    this.type = type;
    this.code = code;
  }

  /** The failure in the neutral form that dialects write. */
  asFailure(requestId: string): Failure {
    const { status, message, type, param, code } = this;
    return { status, message, type, param, code, requestId };
  }

  /** In OpenAI's format. */
  body(requestId: string): JsonObject {
    return openaiChat.writeError(this.asFailure(requestId)).body;
  }
}

/** Seconds after which a lost connection is usually restored. */
const backInTouchAfter = 2;

/** The database or other nodes cannot be reached, so the caller's quota is unknown. */
export function databaseUnreachableError(): RelayError {
  const error = new RelayError(503, 'This node cannot reach its database. Retry in a few seconds', 'out_of_touch');
  error.retryAfter = backInTouchAfter;
  return error;
}

export const clientDisconnectedError = () => new RelayError(499, 'Client disconnected', 'client_left');

export const serverShuttingDownError = () =>
  new RelayError(503, 'The server is shutting down and ended this request. Send it again', 'server_shutting_down');

/** Maximum characters of a client-supplied name that an error message repeats. */
const maxNameLength = 100;

/** Truncates a client-supplied name for an error message, which otherwise could grow to megabytes. */
export const shortenName = (name: string): string =>
  name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;

/** The parser accepts any nesting depth, but code that walks the body afterwards does not. */
export const isTooDeepError = (error: unknown) => error instanceof RangeError && error.message.includes('call stack');
export const tooDeepError = () => new RelayError(400, 'The body is nested too deeply', null, 'invalid_request_error');

/** Reason why a request was ended early, and by which side. */
export interface EarlyTermination {
  readonly error: RelayError;
  readonly by: LogEndCause;
  /** Upstream status; 0 without a response. */
  readonly status: number;
}

export const earlyTermination = (
  error: RelayError | undefined,
  by: LogEndCause = 'upstream',
  status = 0,
): EarlyTermination | undefined => error && { error, by, status };
