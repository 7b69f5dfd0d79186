import type { LogEnder } from '@headgate/contract';
import { parseJson, RequestProblem, readRetryAfter, saidRestMs, UpstreamProblem } from '@headgate/dialects';
import { usageIfSane, usualProblem } from '@headgate/providers';
import type { Delivery } from '../answer/deliver-stream.ts';
import type { StreamReader } from '../framing/stream-reader.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import type { Prepared, Wire } from '../prepare/prepare-request.ts';
import type { TokenCount } from '../quota/quota-of.ts';
import { beginning } from '../upstream/collect.ts';
import { isTooLong } from '../upstream/gathering.ts';
import { isChannelFault, isRetried, relayErrorOf } from '../upstream/upstream-error.ts';
import { UpstreamFailure, type UpstreamResponse } from '../upstream/upstream-exchange.ts';

/** A failed attempt that sent nothing to the client. */
export interface FailedTry {
  /** Upstream status; 0 without a response. */
  readonly status: number;
  readonly error: RelayError;
  /** Whether another channel may succeed. */
  readonly isRetried: boolean;
  /** The upstream's fault, not the request's or the client's. */
  readonly isChannelFault: boolean;
  /** Side that ended it; absent: the upstream. */
  readonly endedBy?: LogEnder | undefined;
  /** Usage that must be charged anyway. */
  readonly used?: TokenCount;
}

const largestErrorBody = 1024 * 1024;
const gone = 410;

/** Converts a thrown error to a failed attempt; rethrows internal errors. */
export function failedTry(error: unknown, channel: RelayChannel): FailedTry {
  if (error instanceof UpstreamProblem) {
    const { status } = error;
    const isGone = status === gone;
    return {
      status,
      error: relayErrorOf(error, channel),
      isRetried: isRetried(status) || isGone,
      isChannelFault: isChannelFault(status, error) || isGone,
    };
  }
  // Another channel may support what this one does not.
  if (error instanceof RequestProblem) {
    const refusal = new RelayError(400, error.message, null, 'invalid_request_error');
    refusal.param = error.param;
    return { status: 0, error: refusal, isRetried: true, isChannelFault: false };
  }
  if (error instanceof RelayError) {
    return { status: 0, error, isRetried: error.code === 'not_offered', isChannelFault: false };
  }
  if (!(error instanceof UpstreamFailure)) throw error;
  const failure = new RelayError(502, `The upstream could not be reached: ${error.message}`, 'upstream_unreachable');
  return { status: 0, error: failure, isRetried: true, isChannelFault: true };
}

/** The upstream returned a success status with an error or an unreadable body. */
export function unreadableTry(thrown: unknown, channel: RelayChannel, answered: number, used: TokenCount): FailedTry {
  // The upstream did the work, and another one would only repeat it.
  if (isTooLong(thrown)) return { status: answered, error: thrown, isRetried: false, isChannelFault: false, used };
  if (!(thrown instanceof RelayError || thrown instanceof UpstreamProblem)) throw thrown;
  const error = thrown instanceof RelayError ? thrown : relayErrorOf(thrown, channel);
  const status = thrown instanceof UpstreamProblem ? thrown.status : answered;
  const mayRetry = thrown instanceof UpstreamProblem ? isRetried(status) : error.status !== 400;
  const paid = thrown instanceof UpstreamProblem && !mayRetry ? usedBefore(thrown) : {};
  const isFault = thrown instanceof UpstreamProblem ? isChannelFault(status, thrown) : mayRetry;
  return { status, error, isRetried: mayRetry, isChannelFault: isFault, ...paid };
}

/**
 * The upstream used an unsupported content encoding. Not retried, because another upstream would only repeat the
 * work.
 */
export async function encodedTry(response: UpstreamResponse, encoding: string, channel: RelayChannel) {
  response.abort();
  const words = `The upstream used content encoding ${encoding}, which is not supported`;
  const error = relayErrorOf(new UpstreamProblem(502, words, 'unknown_encoding'), channel);
  return { status: response.status, error, isRetried: false, isChannelFault: true };
}

/** A stream that ended before anything was sent to the client. */
export function unbegunTry(
  { failure, problemStatus, stoppedBy }: Pick<Delivery, 'problemStatus' | 'stoppedBy'> & { failure: RelayError },
  reader: StreamReader,
  answered: number,
  used: TokenCount,
): FailedTry {
  const told = problemStatus ?? failure.status;
  const mayRetry = stoppedBy === 'upstream' && isRetried(told);
  return {
    status: problemStatus ?? answered,
    error: failure,
    isRetried: mayRetry,
    isChannelFault: mayRetry && isChannelFault(told, failure),
    endedBy: stoppedBy,
    ...(mayRetry ? {} : usedBefore({ usage: reader.problem?.usage ?? usageIfSane(reader.usage) })),
    ...(stoppedBy === 'client' && { used }),
  };
}

/** Usage of a request that was rejected for its content, which the upstream still charges. */
function usedBefore({ usage }: Pick<UpstreamProblem, 'usage'>): Pick<FailedTry, 'used'> {
  return usage ? { used: { prompt: usage.promptTokens, completion: usage.completionTokens } } : {};
}

/** Error in an upstream's error response. */
export async function refusalOf(wire: Pick<Wire, 'readProblem'>, response: UpstreamResponse): Promise<UpstreamProblem> {
  const { status } = response;
  const body = parseJson((await beginning(response, largestErrorBody)).toString('utf8'));
  return wire.readProblem?.(status, body) ?? usualProblem(status, body);
}

/** Failed attempt for an upstream's error response. */
export async function refusedTry(prepared: Prepared, response: UpstreamResponse): Promise<FailedTry> {
  const problem = await refusalOf(prepared.wire, response);
  const error = relayErrorOf(problem, prepared.channel);
  error.retryAfter = saidWait(problem.status, response);
  const { status } = problem;
  return { status, error, isRetried: isRetried(status), isChannelFault: isChannelFault(status, problem) };
}

const longestWait = 3600;

/** Seconds from Retry-After, or until an exhausted rate limit resets. */
function saidWait(status: number, { headers }: UpstreamResponse): number | undefined {
  const now = Date.now();
  const told = readRetryAfter(headers, now);
  if (told !== undefined) return Math.min(told, longestWait);
  const ms = status === 429 ? saidRestMs(headers, now) : 0;
  return ms > 0 ? Math.min(Math.ceil(ms / 1000), longestWait) : undefined;
}
