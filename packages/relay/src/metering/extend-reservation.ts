import type { Caller } from '../ports/ports.ts';
import type { Reservation } from '../quota/reservation.ts';

/**
 * Why a running request cannot reserve more: quota or budget exhausted, cost limit reached, or the balance is
 * unknown.
 */
export type RunningShortage = 'quota' | 'budget' | 'cost_limit' | 'out_of_touch';

const usedUp = (reservation: Reservation, points: number): RunningShortage =>
  reservation.isShortOfBudget(points) ? 'budget' : 'quota';

/**
 * Extends the reservation to this amount and returns true on success. Synchronous when the local balance is enough;
 * otherwise waits for points of other nodes, as a new request does.
 */
export function extendReservation(
  reservation: Reservation,
  points: number,
  caller: Pick<Caller, 'findMore' | 'isBalanceUnknown'>,
): true | RunningShortage | Promise<true | RunningShortage> {
  if (reservation.extendTo(points)) return true;
  if (reservation.isBeyondLimit(points)) return 'cost_limit';
  // The request has ended, so more points would be unused.
  if (reservation.isSettled || !caller.findMore) return usedUp(reservation, points);
  return extendFromOtherNodes(reservation, points, caller);
}

async function extendFromOtherNodes(
  reservation: Reservation,
  points: number,
  caller: Pick<Caller, 'findMore' | 'isBalanceUnknown'>,
): Promise<true | RunningShortage> {
  try {
    await caller.findMore?.(points - reservation.held);
  } catch {
    // The database could not be reached.
    return reservation.extendTo(points) || 'out_of_touch';
  }
  if (reservation.extendTo(points)) return true;
  return caller.isBalanceUnknown ? 'out_of_touch' : usedUp(reservation, points);
}
