/**
 * `refused`: the gateway returned an error. `unreachable`: no complete response was received. `unreadable`: the
 * response is not from a Headgate gateway.
 */
export type FailureKind = 'refused' | 'unreachable' | 'unreadable';

interface ErrorFields {
  readonly kind: FailureKind;
  readonly message: string;
  readonly status?: number;
  readonly code?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Error of a failed call. An aborted call rejects with the signal's reason instead. */
export class HeadgateError extends Error {
  override readonly name = 'HeadgateError';
  readonly kind: FailureKind;
  /** HTTP status; 0 without a response. An error response may have status 200. */
  readonly status: number;
  /** Error code of an error response, such as `changedMeanwhile`. Independent of the language. */
  readonly code: string | undefined;
  /** Value of `Retry-After`, if present. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ kind, message, status = 0, code, retryAfterSeconds, cause }: ErrorFields) {
    super(message, { cause });
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
