import type { Reply } from '@headgate/dialects';
import type { RelayRequest } from '../request/read-request.ts';

const millisecondsPerSecond = 1000;

/** Request properties that shape its response. */
export const replyTo = ({ model, wantsUsage, body, address, storing }: RelayRequest, requestId: string): Reply => ({
  id: requestId,
  created: Math.floor(Date.now() / millisecondsPerSecond),
  model,
  wantsUsage,
  body,
  framing: address.framing,
  storing,
});
