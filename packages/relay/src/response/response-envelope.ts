import type { ResponseEnvelope } from '@headgate/dialects';
import type { RelayRequest } from '../request/read-request.ts';

const millisecondsPerSecond = 1000;

/** Request properties that shape its response. */
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
