import type { Shortage } from './books/reservation.ts';
import { outOfTouch, RelayError } from './relay-error.ts';

/** Why nothing could be held, as the caller is told. */
export function shortageError(shortage: Shortage): RelayError {
  if (shortage === 'out_of_touch') return outOfTouch();
  return shortage === 'user'
    ? new RelayError(402, 'Your quota is not enough', 'insufficient_user_quota')
    : new RelayError(402, 'The quota of this token is not enough', 'insufficient_token_quota');
}
