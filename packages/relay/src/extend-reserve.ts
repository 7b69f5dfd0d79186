import type { Reservation } from './books/reservation.ts';
import type { Caller } from './ports.ts';

/** At once where there is enough; else a running request waits, as a new one does, for what can be found elsewhere. */
export function extendReserve(
  reservation: Reservation,
  points: number,
  { findMore }: Pick<Caller, 'findMore'>,
): boolean | Promise<boolean> {
  if (reservation.extendTo(points)) return true;
  // Nobody waits for what would be found.
  if (reservation.isSettled) return false;
  const search = findMore?.(points - reservation.held);
  return search?.then(() => reservation.extendTo(points)) ?? false;
}
