import { type ClientDisconnect, disconnectCause } from '../ports/client-disconnect.ts';
import { RelayError } from '../ports/relay-error.ts';
import { DeliveryError } from '../upstream/upstream-exchange.ts';

/** The side that ended a response early, and the failure to log. */
export function classifyInterruption(error: Error, gone: ClientDisconnect, what: 'response' | 'stream') {
  if (gone.aborted) return disconnectCause(gone);
  if (error instanceof DeliveryError) {
    const failure = new RelayError(500, `Internal error while delivering the ${what}`, 'internal_error');
    return { by: 'server', failure } as const;
  }
  return { by: 'upstream', failure: interruptedError(what, error.message) } as const;
}

export const interruptedError = (what: 'response' | 'stream', why: string) =>
  new RelayError(502, `The upstream's ${what} was interrupted: ${why}`, 'upstream_broke');
