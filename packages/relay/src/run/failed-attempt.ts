import type { LogEndCause } from '@headgate/contract';
import { parseJson, RequestProblem, rateLimitResetMs, readRetryAfter, UpstreamProblem } from '@headgate/dialects';
import { defaultProblem, plausibleUsage } from '@headgate/providers';
import type { StreamReader } from '../framing/converted-stream.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import type { PreparedRequest, Wire } from '../prepare/prepare-request.ts';
import type { TokenCount } from '../quota/quota-of.ts';
import type { Delivery } from '../response/deliver-stream.ts';
import { ruleNotAllowedCode } from '../rules/rule-error.ts';
import { collectBodyStart } from '../upstream/collect.ts';
import { isTooLongError } from '../upstream/response-buffer.ts';
import { isChannelFault, isRetryable, toRelayError } from '../upstream/upstream-error.ts';
import { UpstreamConnectionError, type UpstreamResponse } from '../upstream/upstream-exchange.ts';

/** A failed attempt that sent nothing to the client. */
export interface FailedAttempt {
  /** Upstream status; 0 without a response. */
  readonly status: number;
  readonly error: RelayError;
  /** True if another channel may succeed. */
  readonly isRetryable: boolean;
  /** True if the upstream caused the failure, not the request or the client. */
  readonly isChannelFault: boolean;
  /** Side that ended the attempt. Defaults to the upstream. */
  readonly endedBy?: LogEndCause | undefined;
  /** Usage that must be charged despite the failure. */
  readonly used?: TokenCount;
}

const largestErrorBody = 1024 * 1024;
const gone = 410;
/** Codes of errors before sending that may not occur on another channel. */
const otherChannelCodes: ReadonlySet<string | null> = new Set(['not_offered', ruleNotAllowedCode]);

/** Converts a thrown error to a failed attempt; rethrows internal errors. */
export function failedAttempt(error: unknown, channel: RelayChannel): FailedAttempt {
  if (error instanceof UpstreamProblem) {
    const { status } = error;
    const isGone = status === gone;
    return {
      status,
      error: toRelayError(error, channel),
      isRetryable: isRetryable(status) || isGone,
      isChannelFault: isChannelFault(status, error) || isGone,
    };
  }
  // Another channel may support the request.
  if (error instanceof RequestProblem) {
    const rejection = new RelayError(400, error.message, null, 'invalid_request_error');
    rejection.param = error.param;
    return { status: 0, error: rejection, isRetryable: true, isChannelFault: false };
  }
  if (error instanceof RelayError) {
    return { status: 0, error, isRetryable: otherChannelCodes.has(error.code), isChannelFault: false };
  }
  if (!(error instanceof UpstreamConnectionError)) throw error;
  const failure = new RelayError(502, `The upstream could not be reached: ${error.message}`, 'upstream_unreachable');
  return { status: 0, error: failure, isRetryable: true, isChannelFault: true };
}

/** Converts a success status with an error or an unreadable body to a failed attempt. */
export function unreadableAttempt(
  thrown: unknown,
  channel: RelayChannel,
  responded: number,
  used: TokenCount,
): FailedAttempt {
  // The upstream has done the work; another upstream would only repeat it.
  if (isTooLongError(thrown))
    return { status: responded, error: thrown, isRetryable: false, isChannelFault: false, used };
  if (!(thrown instanceof RelayError || thrown instanceof UpstreamProblem)) throw thrown;
  const error = thrown instanceof RelayError ? thrown : toRelayError(thrown, channel);
  const status = thrown instanceof UpstreamProblem ? thrown.status : responded;
  const mayRetry = thrown instanceof UpstreamProblem ? isRetryable(status) : error.status !== 400;
  const paid = thrown instanceof UpstreamProblem && !mayRetry ? usedBefore(thrown) : {};
  const isFault = thrown instanceof UpstreamProblem ? isChannelFault(status, thrown) : mayRetry;
  return { status, error, isRetryable: mayRetry, isChannelFault: isFault, ...paid };
}

/**
 * Failed attempt with an unsupported content encoding. Not retried, because another upstream would only repeat the
 * work.
 */
export async function unsupportedEncodingAttempt(response: UpstreamResponse, encoding: string, channel: RelayChannel) {
  response.abort();
  const message = `The upstream used content encoding ${encoding}, which is not supported`;
  const error = toRelayError(new UpstreamProblem(502, message, 'unknown_encoding'), channel);
  return { status: response.status, error, isRetryable: false, isChannelFault: true };
}

/** Failed attempt for a stream that ended before anything was sent to the client. */
export function unstartedAttempt(
  { failure, problemStatus, stoppedBy }: Pick<Delivery, 'problemStatus' | 'stoppedBy'> & { failure: RelayError },
  reader: StreamReader,
  responded: number,
  used: TokenCount,
): FailedAttempt {
  const effectiveStatus = problemStatus ?? failure.status;
  const mayRetry = stoppedBy === 'upstream' && isRetryable(effectiveStatus);
  return {
    status: problemStatus ?? responded,
    error: failure,
    isRetryable: mayRetry,
    isChannelFault: mayRetry && isChannelFault(effectiveStatus, failure),
    endedBy: stoppedBy,
    ...(mayRetry ? {} : usedBefore({ usage: reader.problem?.usage ?? plausibleUsage(reader.usage) })),
    ...(stoppedBy === 'client' && { used }),
  };
}

/** Usage of a request that was rejected because of its content: the upstream charges for it. */
function usedBefore({ usage }: Pick<UpstreamProblem, 'usage'>): Pick<FailedAttempt, 'used'> {
  return usage ? { used: { prompt: usage.promptTokens, completion: usage.completionTokens } } : {};
}

/** Error in an upstream's error response. */
export async function upstreamErrorOf(
  wire: Pick<Wire, 'readProblem'>,
  response: UpstreamResponse,
): Promise<UpstreamProblem> {
  const { status } = response;
  const body = parseJson((await collectBodyStart(response, largestErrorBody)).toString('utf8'));
  return wire.readProblem?.(status, body) ?? defaultProblem(status, body);
}

/** Failed attempt for an upstream's error response. */
export async function rejectedAttempt(prepared: PreparedRequest, response: UpstreamResponse): Promise<FailedAttempt> {
  const problem = await upstreamErrorOf(prepared.wire, response);
  const error = toRelayError(problem, prepared.channel);
  error.retryAfter = retryAfterOf(problem.status, response);
  const { status } = problem;
  // A rule that retries a request error does not make it the channel's fault.
  const mayRetry = prepared.rules?.statuses.get(response.status) ?? isRetryable(status);
  return { status, error, isRetryable: mayRetry, isChannelFault: mayRetry && isChannelFault(status, problem) };
}

/** Failed attempt for a complete response without any content. The request may be the cause, not the channel. */
export const emptyAttempt = (responded: number): FailedAttempt => ({
  status: responded,
  error: new RelayError(502, 'The upstream returned an empty response', 'empty_response'),
  isRetryable: true,
  isChannelFault: false,
});

const maxRetryAfter = 3600;

/** Seconds from Retry-After, or until an exhausted rate limit resets. */
function retryAfterOf(status: number, { headers }: UpstreamResponse): number | undefined {
  const now = Date.now();
  const retryAfter = readRetryAfter(headers, now);
  if (retryAfter !== undefined) return Math.min(retryAfter, maxRetryAfter);
  const ms = status === 429 ? rateLimitResetMs(headers, now) : 0;
  return ms > 0 ? Math.min(Math.ceil(ms / 1000), maxRetryAfter) : undefined;
}
