import { type Leaving, partingOf } from './leaving.ts';
import { RelayError } from './relay-error.ts';
import { PassingFault } from './upstream-exchange.ts';

/** Whose doing it is that an answer broke off, and what is written down of it. */
export function breakOf(error: Error, leaving: Leaving, what: 'answer' | 'stream') {
  if (leaving.aborted) return partingOf(leaving);
  if (error instanceof PassingFault) {
    const failure = new RelayError(500, `The ${what} could not be passed on`, 'internal_error');
    return { by: 'server', failure } as const;
  }
  return { by: 'upstream', failure: brokenOff(what, error.message) } as const;
}

export const brokenOff = (what: 'answer' | 'stream', why: string) =>
  new RelayError(502, `The upstream's ${what} broke off: ${why}`, 'upstream_broke');
