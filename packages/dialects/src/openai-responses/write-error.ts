import type { ErrorResponse, Failure } from '../dialect.ts';
import { responseId } from './write-response.ts';

const messageOf = ({ message, requestId }: Failure) => `${message} (request id: ${requestId})`;

export const writeError = (failure: Failure): ErrorResponse => ({
  status: failure.status,
  body: {
    error: { message: messageOf(failure), type: failure.type, param: failure.param, code: failure.code },
  },
});

/**
 * Writes the two error events of OpenAI: SDKs throw on the first, and Codex reads only the second. Both must contain
 * the response.
 */
export function writeErrorEvent(failure: Failure): string {
  const message = messageOf(failure);
  const code = failure.code ?? codeOf(failure.status);
  const told = { type: 'error', sequence_number: 0, code, message, param: failure.param };
  const response = {
    id: responseId(failure.requestId),
    object: 'response',
    status: 'failed',
    error: { code, message },
    incomplete_details: null,
    output: [],
    usage: null,
  };
  const failed = { type: 'response.failed', sequence_number: 0, response };
  return `event: error\ndata: ${JSON.stringify(told)}\n\nevent: response.failed\ndata: ${JSON.stringify(failed)}\n\n`;
}

/** Error codes by which clients decide whether to retry. */
function codeOf(status: number): string {
  if (status === 429) return 'rate_limit_exceeded';
  if (status === 402) return 'insufficient_quota';
  return status < 500 ? 'invalid_prompt' : 'server_error';
}
