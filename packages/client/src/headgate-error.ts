/** `refused`: the gateway said no. `unreachable`: no whole answer came. `unreadable`: what answered is no such gateway. */
export type FailureKind = 'refused' | 'unreachable' | 'unreadable';

interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly status?: number;
  readonly code?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Why a call gave no data. Who aborts a call gets the reason of the signal instead. */
export class HeadgateError extends Error {
  override readonly name = 'HeadgateError';
  readonly kind: FailureKind;
  /** The HTTP status; 0 when no answer came. A refusal may have the status 200. */
  readonly status: number;
  /** Of a refusal: why, in a word that does not change with the language, such as `changedMeanwhile`. */
  readonly code: string | undefined;
  /** After how many seconds to try again, where the answer says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ kind, message, status = 0, code, retryAfterSeconds, cause }: Failure) {
    super(message, { cause });
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
