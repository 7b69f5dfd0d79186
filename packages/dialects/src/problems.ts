import type { Usage } from './chat/chat-response.ts';

/** True if a number is a valid HTTP error status; some upstreams put their own codes in the status field. */
export const isErrorStatus = (status: number): boolean => Number.isInteger(status) && status >= 400 && status <= 599;

/**
 * An upstream error with a status that routing understands: auth 401, quota 402, rate 429, content 400, server errors
 * 5xx.
 */
export class UpstreamProblem extends Error {
  override readonly name = 'UpstreamProblem';
  readonly status: number;
  readonly code: string | null;
  readonly type: string;
  /** Usage that the upstream charges despite the error; undefined when not reported. */
  usage: Usage | undefined;

  constructor(status: number, message: string, code: string | null = null, type = 'upstream_error') {
    super(message);
    this.status = isErrorStatus(status) ? status : 502;
    this.code = code;
    this.type = type;
  }
}

/** The request is invalid, or this provider does not support it. Names the field. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  /** The invalid field, as OpenAI's errors name it. */
  readonly param: string;

  constructor(param: string, message: string) {
    super(cut(message, maxMessageLength));
    this.param = cut(param, maxParamLength);
  }
}

const maxMessageLength = 500;
const maxParamLength = 200;

/** Both may contain client text and are logged, so they are truncated. */
const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);
