import { type Failure, isErrorStatus, type JsonObject, type LimitStanding, openaiChat } from '@headgate/dialects';

/** A failure as clients of OpenAI's API expect it. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  /** Seconds after which it is worth another try; undefined when nobody said so. */
  retryAfter: number | undefined;

  /** What is left of the limits that it is about; undefined where it is about none. */
  limits: LimitStanding | undefined;

  /** The field at fault, when there is one. */
  param: string | null = null;

  /** Whether the log has a row that tells it. */
  isRecorded = false;

  constructor(status: number, message: string, code: string | null = null, type = 'headgate_error') {
    super(message);
    this.status = isErrorStatus(status) ? status : 500;
    this.type = type;
    this.code = code;
  }

  /** The failure in the neutral form that a dialect writes. */
  asFailure(requestId: string): Failure {
    const { status, message, type, param, code } = this;
    return { status, message, type, param, code, requestId };
  }

  /** In OpenAI's words. */
  body(requestId: string): JsonObject {
    return openaiChat.writeError(this.asFailure(requestId)).body;
  }
}

/** Seconds in which a lost connection is usually made again. */
const backInTouchAfter = 2;

/** The database, or what other nodes have leased, cannot be asked: that says nothing of anybody's quota. */
export function outOfTouch(): RelayError {
  const error = new RelayError(
    503,
    'This node is out of touch with its database; try again in a moment',
    'out_of_touch',
  );
  error.retryAfter = backInTouchAfter;
  return error;
}

export const clientLeft = () => new RelayError(499, 'The client left', 'client_left');

export const serverEnds = () =>
  new RelayError(503, 'The server is shutting down and ended this request; ask again', 'server_shutting_down');

/** The longest part of a name that an answer tells back, in characters. */
const longestTold = 100;

/** A name of the client's own, as it is told back: nobody is sent megabytes of what he sent. */
export const toldBack = (name: string): string => (name.length > longestTold ? `${name.slice(0, longestTold)}…` : name);
