import type { LogEnder } from '@headgate/contract';
import type { RelayError } from './relay-error.ts';

/** Why, and by whom, a request was ended before its end. */
export interface EarlyEnd {
  readonly error: RelayError;
  readonly by: LogEnder;
  /** Status of the upstream; 0 when it did not answer. */
  readonly status: number;
}

export const earlyEnd = (error: RelayError | undefined, by: LogEnder = 'upstream', status = 0): EarlyEnd | undefined =>
  error && { error, by, status };
