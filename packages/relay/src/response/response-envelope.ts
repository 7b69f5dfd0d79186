import type { ResponseEnvelope } from '@headgate/dialects';
import type { RelayRequest } from '../request/read-request.ts';

const millisecondsPerSecond = 1000;

/** Properties of the request that its response repeats. */
export const responseEnvelope = (
  { model, wantsUsage, body, address, storing }: RelayRequest,
  requestId: string,
): ResponseEnvelope => ({
  id: requestId,
  created: Math.floor(Date.now() / millisecondsPerSecond),
  model,
  wantsUsage,
  body,
  framing: address.framing,
  storing,
});
