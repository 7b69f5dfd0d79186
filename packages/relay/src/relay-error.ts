import { isErrorStatus } from '@headgate/providers';

/** A failure as clients of OpenAI's API expect it. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  /** Seconds after which it is worth another try; undefined when nobody said so. */
  retryAfter: number | undefined;

  /** The field at fault, when there is one. */
  param: string | null = null;

  constructor(status: number, message: string, code: string | null = null, type = 'headgate_error') {
    super(message);
    this.status = isErrorStatus(status) ? status : 500;
    this.type = type;
    this.code = code;
  }

  body(requestId: string) {
    const { message, type, param, code } = this;
    return { error: { message: `${message} (request id: ${requestId})`, type, param, code } };
  }
}

export const clientLeft = () => new RelayError(499, 'The client left', 'client_left');
