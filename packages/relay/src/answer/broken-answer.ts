import { type ClientGone, whoEnded } from '../ports/client-gone.ts';
import { RelayError } from '../ports/relay-error.ts';
import { PassingFault } from '../upstream/upstream-exchange.ts';

/** Which side ended a response early, and the failure to record for it. */
export function breakOf(error: Error, gone: ClientGone, what: 'response' | 'stream') {
  if (gone.aborted) return whoEnded(gone);
  if (error instanceof PassingFault) {
    const failure = new RelayError(500, `Internal error while delivering the ${what}`, 'internal_error');
    return { by: 'server', failure } as const;
  }
  return { by: 'upstream', failure: brokenOff(what, error.message) } as const;
}

export const brokenOff = (what: 'response' | 'stream', why: string) =>
  new RelayError(502, `The upstream's ${what} was interrupted: ${why}`, 'upstream_broke');
