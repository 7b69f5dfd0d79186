import { outOfTouch, RelayError } from '@headgate/relay';
import type { TokenEntry } from './caller-entry.ts';
import type { Elsewhere, UnderWayElsewhere } from './under-way-elsewhere.ts';

/** Concurrency limits; 0 means unlimited. */
interface Limits {
  readonly UserConcurrencyLimit: number;
  readonly TokenConcurrencyLimit: number;
}

/** A guess: most requests end within seconds. */
const retryAfter = 5;

/** Counts a request in, or rejects it. Every request counted in must be counted out, however it ends. */
export function beginRequest(entry: TokenEntry, limits: Limits, elsewhere: Elsewhere | undefined): void {
  const { user, facts } = entry;
  // Only happens to a request admitted long ago whose body arrived slowly.
  if (entry.isForgotten) throw outOfTouch();
  const { UserConcurrencyLimit: ofUser, TokenConcurrencyLimit: ofToken } = limits;
  if (isFull(user.underWay, ofUser, elsewhere?.users, user.facts.id)) throw tooMany('your account');
  if (isFull(entry.underWay, ofToken, elsewhere?.tokens, facts?.id)) throw tooMany('this token');
  entry.underWay += 1;
  user.underWay += 1;
  entry.isUsed = true;
  user.isUsed = true;
  if (elsewhere) tell(entry, limits, elsewhere);
}

export function endRequest(entry: TokenEntry, limits: Limits, elsewhere: Elsewhere | undefined): void {
  entry.underWay -= 1;
  entry.user.underWay -= 1;
  if (elsewhere) tell(entry, limits, elsewhere);
}

function isFull(underWay: number, limit: number, elsewhere: UnderWayElsewhere | undefined, id = 0): boolean {
  return limit > 0 && underWay + (elsewhere?.of(id) ?? 0) >= limit;
}

/** Publishes the counts to the other nodes where a limit applies. */
function tell({ user, facts, underWay }: TokenEntry, limits: Limits, { users, tokens }: Elsewhere): void {
  const { UserConcurrencyLimit: ofUser, TokenConcurrencyLimit: ofToken } = limits;
  if (ofUser > 0) users.tell(user.facts.id, user.underWay, ofUser);
  if (ofToken > 0 && facts) tokens.tell(facts.id, underWay, ofToken);
}

function tooMany(whose: string): RelayError {
  const words = `Too many in-flight requests for ${whose}. Try again when some of them have finished`;
  const error = new RelayError(429, words, 'too_many_requests_under_way');
  error.retryAfter = retryAfter;
  return error;
}
