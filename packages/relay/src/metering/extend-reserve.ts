import type { Caller } from '../ports/ports.ts';
import type { Reservation } from '../quota/reservation.ts';

/** Why a running request cannot hold more: quota or a budget is used up, it would cost more than one may, or nobody here can tell. */
export type RunningShortage = 'quota' | 'budget' | 'cost_limit' | 'out_of_touch';

const usedUp = (reservation: Reservation, points: number): RunningShortage =>
  reservation.isShortOfBudget(points) ? 'budget' : 'quota';

/** True when so much is held. At once where there is enough; else it waits, as a new request does, for what is elsewhere. */
export function extendReserve(
  reservation: Reservation,
  points: number,
  caller: Pick<Caller, 'findMore' | 'isOutOfTouch'>,
): true | RunningShortage | Promise<true | RunningShortage> {
  if (reservation.extendTo(points)) return true;
  if (reservation.isBeyondLimit(points)) return 'cost_limit';
  // Nobody waits for what would be found.
  if (reservation.isSettled || !caller.findMore) return usedUp(reservation, points);
  return extendElsewhere(reservation, points, caller);
}

async function extendElsewhere(
  reservation: Reservation,
  points: number,
  caller: Pick<Caller, 'findMore' | 'isOutOfTouch'>,
): Promise<true | RunningShortage> {
  try {
    await caller.findMore?.(points - reservation.held);
  } catch {
    // The database could not be asked.
    return reservation.extendTo(points) || 'out_of_touch';
  }
  if (reservation.extendTo(points)) return true;
  return caller.isOutOfTouch ? 'out_of_touch' : usedUp(reservation, points);
}
