import { defaultMessage } from '@headgate/providers';
import type { PreparedRequest } from '../prepare/prepare-request.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { UpstreamResponse } from '../upstream/upstream-exchange.ts';
import type { FailedAttempt } from './failed-attempt.ts';

/** Statuses of a server that lacks an endpoint. */
const missingStatuses: ReadonlySet<number> = new Set([404, 405, 501]);

export const isMissingStatus = (status: number): boolean => missingStatuses.has(status);

/** Whether the server may lack the endpoint and its chat endpoint can serve the request instead. */
export function mayBeMissingEndpoint(
  request: RelayRequest,
  { wire }: PreparedRequest,
  { status }: UpstreamResponse,
): boolean {
  if (wire.kind !== 'pass' || !wire.isOptional || !isMissingStatus(status)) return false;
  return !request.earlier && !request.previousResponse;
}

const namesAnother =
  /\b(model|deployment|item|response with id|assistant|file with id)\b|_not_found$|DeploymentNotFound/i;
const namesEndpoint = /\b(url|uri|path|route|endpoint|page)\b|^((file|resource) )?not found\.?$/i;

/**
 * Classifies a 404, 405 or 501. `other`: another resource was not found, such as the model. `unclear`: the chat
 * endpoint may serve the request, but the result is not remembered.
 */
export function missingResource({ status, error }: FailedAttempt): 'endpoint' | 'other' | 'unclear' {
  if (status !== 404) return 'endpoint';
  const { message, code } = error;
  if (namesAnother.test(message) || (code !== null && namesAnother.test(code))) return 'other';
  // HTML pages and plain texts have no message: they come from a web server without this path.
  return namesEndpoint.test(message) || message === defaultMessage(status) ? 'endpoint' : 'unclear';
}
