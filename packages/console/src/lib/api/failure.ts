export type FailureKind = 'http' | 'refused' | 'network' | 'malformed' | 'givenUp';

export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly kind: FailureKind;
  /** True if the server did not process the call, so that a retry is safe. */
  readonly status: number;
  /** True if a user was signed in when the call was sent. */
  readonly wasSignedIn: boolean;

  constructor(kind: FailureKind, status: number, message: string, wasSignedIn = false) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.wasSignedIn = wasSignedIn;
  }
}

/** True if a retry makes sense because the server did not process the call. */
export const isTransient = (error: unknown): boolean =>
  error instanceof CallFailure && (error.kind === 'network' || error.status === 429 || error.status >= 500);

/** True if a reverse proxy responded because it could not reach the gateway. */
export const isProxyError = (status: number): boolean => status === 502 || status === 503 || status === 504;
