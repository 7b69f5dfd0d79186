/** A failure as clients of OpenAI's API expect it. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  /** Seconds after which it is worth another try; undefined when nobody said so. */
  retryAfter: number | undefined;

  constructor(status: number, message: string, code: string | null = null, type = 'headgate_error') {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
  }

  body(requestId: string): { error: { message: string; type: string; param: null; code: string | null } } {
    const { message, type, code } = this;
    return { error: { message: `${message} (request id: ${requestId})`, type, param: null, code } };
  }
}

export const clientLeft = () => new RelayError(499, 'The client left', 'client_left');
