import type { LogEndCause } from '@headgate/contract';
import type { RelayError } from './relay-error.ts';

/** Why, and by which side, a request was ended early. */
export interface EarlyEnd {
  readonly error: RelayError;
  readonly by: LogEndCause;
  /** Upstream status; 0 without a response. */
  readonly status: number;
}

export const earlyEnd = (
  error: RelayError | undefined,
  by: LogEndCause = 'upstream',
  status = 0,
): EarlyEnd | undefined => error && { error, by, status };
