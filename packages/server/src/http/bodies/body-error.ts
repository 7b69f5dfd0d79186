/** A request body that was rejected before or while it was read. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly statusCode: number;
  /** Seconds until a retry may succeed; undefined if it never will. */
  readonly retryAfter: number | undefined;

  constructor(statusCode: number, message: string, retryAfter?: number) {
    super(message);
    this.statusCode = statusCode;
    this.retryAfter = retryAfter;
  }
}

export const bodyTooLargeError = () => new BodyError(413, 'The request body is too large');

export const referencesTooLargeError = () =>
  new BodyError(413, 'The request body is too large together with the images, files or stored responses it refers to');
