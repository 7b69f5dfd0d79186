import type { Usage } from './chat/chat-answer.ts';

/** Whether a number from outside can stand for a failure; some upstreams put codes of their own there. */
export const isErrorStatus = (status: number): boolean => Number.isInteger(status) && status >= 400 && status <= 599;

/** The upstream says no, in a way routing understands: auth 401, quota 402, rate 429, content 400, its own fault 5xx. */
export class UpstreamProblem extends Error {
  override readonly name = 'UpstreamProblem';
  readonly status: number;
  readonly code: string | null;
  readonly type: string;
  /** What was used all the same; undefined when that was not told. */
  usage: Usage | undefined;

  constructor(status: number, message: string, code: string | null = null, type = 'upstream_error') {
    super(message);
    this.status = isErrorStatus(status) ? status : 502;
    this.code = code;
    this.type = type;
  }
}

/** The request is malformed, or asks this provider for what it cannot do. Names the part. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  /** The field at fault, as OpenAI's errors name it. */
  readonly param: string;

  constructor(param: string, message: string) {
    super(cut(message, longestMessage));
    this.param = cut(param, longestParam);
  }
}

const longestMessage = 500;
const longestParam = 200;

/** Both may repeat text of the client, and are logged. */
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
