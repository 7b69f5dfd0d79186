/** Why a call did not give its data. */
export type FailureKind = 'http' | 'refused' | 'network' | 'malformed' | 'givenUp';

export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly kind: FailureKind;
  /** The HTTP status; 0 when no response came. */
  readonly status: number;
  /** Whether somebody was signed in when the call was made. */
  readonly wasSignedIn: boolean;

  constructor(kind: FailureKind, status: number, message: string, wasSignedIn = false) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.wasSignedIn = wasSignedIn;
  }
}

/** Worth another try by itself: nothing was decided by the server. */
export const isTransient = (error: unknown): boolean =>
  error instanceof CallFailure && (error.kind === 'network' || error.status === 429 || error.status >= 500);

/** Answered by what stands before the gateway, which it could not reach. */
export const isFromProxy = (status: number): boolean => status === 502 || status === 503 || status === 504;
