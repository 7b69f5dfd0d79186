import type { LogEnder } from '@headgate/contract';
import type { RelayError } from './relay-error.ts';

/** Why, and by whom, a request was ended before its end. */
export interface EarlyEnd {
  readonly error: RelayError;
  readonly by: LogEnder;
}

export const earlyEnd = (error: RelayError | undefined, by: LogEnder = 'upstream'): EarlyEnd | undefined =>
  error && { error, by };
