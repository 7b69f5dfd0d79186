import { parseFrame, parseJson, textAt, UpstreamProblem } from '@headgate/dialects';
import { defaultProblem } from '../default-problem.ts';
import type { StreamFrame } from '../frames.ts';

const statuses: Readonly<Record<string, number>> = {
  accessDeniedException: 403,
  internalServerException: 502,
  modelErrorException: 502,
  modelNotReadyException: 503,
  modelStreamErrorException: 502,
  modelTimeoutException: 504,
  resourceNotFoundException: 404,
  serviceQuotaExceededException: 429,
  serviceUnavailableException: 503,
  throttlingException: 429,
  validationException: 400,
};

/** Amazon's messages for an unknown key or signature, which it reports as a missing permission. */
const unknownKey = /security token|signature|authentication failed|api key/i;

const failedDependency = 424;
const modelTimeout = 408;

/** Maps an error response whose status is misleading. */
export function readBedrockProblem(status: number, body: unknown): UpstreamProblem | undefined {
  const problem = defaultProblem(status, body);
  if (status === 403 && unknownKey.test(problem.message)) return withStatus(problem, 401);
  if (status === failedDependency) return withStatus(problem, 502);
  return status === modelTimeout ? withStatus(problem, 504) : undefined;
}

const withStatus = ({ message, code, type }: UpstreamProblem, status: number) =>
  new UpstreamProblem(status, message, code, type);

/** Throws an error for an exception message inside a stream, which is named after the exception. */
export function throwBedrockException({ event, data }: StreamFrame): void {
  if (!/exception$/i.test(event)) return;
  const name = event.charAt(0).toLowerCase() + event.slice(1);
  throw defaultProblem(statuses[name] ?? 502, parseJson(data), 'The upstream ended its stream with an error');
}

/** The model's own data inside the envelope; undefined if the message contains none. */
export function modelChunk(frame: StreamFrame): string | undefined {
  if (frame.event === 'chunk') return Buffer.from(textAt(parseFrame(frame.data), 'bytes'), 'base64').toString('utf8');
  throwBedrockException(frame);
  return undefined;
}
