import type { LogEnder } from '@headgate/contract';
import type { RelayError } from '@headgate/relay';

/** The side that ended a call which was passed on and did not come to its end. */
export const enderOf = ({ code, status }: RelayError): LogEnder => {
  if (code === 'client_left') return 'client';
  return code === 'server_shutting_down' || status === 500 ? 'server' : 'upstream';
};
