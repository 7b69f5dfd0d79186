import type { Prepared } from '../prepare/prepare-request.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { UpstreamResponse } from '../upstream/upstream-exchange.ts';

/** Statuses of a server that does not have an endpoint. */
const missingStatuses: ReadonlySet<number> = new Set([404, 405, 501]);

export const isMissing = (status: number): boolean => missingStatuses.has(status);

/** True when the server may lack the endpoint, and its chat endpoint can serve the request instead. */
export function mayLackEndpoint(request: RelayRequest, { wire }: Prepared, { status }: UpstreamResponse): boolean {
  if (wire.kind !== 'pass' || !wire.isOptional || !isMissing(status)) return false;
  return !request.earlier && !request.goesOnFrom;
}
