import { databaseUnreachableError, RelayError } from '@headgate/relay';
import type { TokenEntry, UserEntry } from './caller-entry.ts';
import type { RemoteInFlight, RemoteInFlightCounts } from './remote-in-flight.ts';

/** Concurrency limits; 0 means unlimited. */
interface Limits {
  readonly UserConcurrencyLimit: number;
  readonly TokenConcurrencyLimit: number;
}

/** A token and the account that pays for its requests. */
interface Callers {
  readonly entry: TokenEntry;
  readonly user: UserEntry;
}

/** Estimated wait in seconds, because most requests end within seconds. */
const retryAfter = 5;

/**
 * Counts a request as in flight or rejects it. `endRequest` must be called for every counted request, however it
 * ends.
 */
export function beginRequest(
  { entry, user }: Callers,
  limits: Limits,
  elsewhere: RemoteInFlightCounts | undefined,
): void {
  const { facts } = entry;
  // Happens only to a request that was admitted long ago and whose body arrived slowly.
  if (entry.isForgotten || user.isForgotten) throw databaseUnreachableError();
  const { UserConcurrencyLimit: ofUser, TokenConcurrencyLimit: ofToken } = limits;
  if (isFull(user.inFlight, ofUser, elsewhere?.users, user.facts.id)) throw tooMany('your account');
  if (isFull(entry.inFlight, ofToken, elsewhere?.tokens, facts?.id)) throw tooMany('this token');
  entry.inFlight += 1;
  user.inFlight += 1;
  entry.wasUsed = true;
  user.wasUsed = true;
  if (elsewhere) notify({ entry, user }, limits, elsewhere);
}

export function endRequest(
  { entry, user }: Callers,
  limits: Limits,
  elsewhere: RemoteInFlightCounts | undefined,
): void {
  entry.inFlight -= 1;
  user.inFlight -= 1;
  if (elsewhere) notify({ entry, user }, limits, elsewhere);
}

function isFull(inFlight: number, limit: number, elsewhere: RemoteInFlight | undefined, id = 0): boolean {
  return limit > 0 && inFlight + (elsewhere?.of(id) ?? 0) >= limit;
}

/** Publishes the counts to the other nodes if a limit applies. */
function notify({ entry, user }: Callers, limits: Limits, { users, tokens }: RemoteInFlightCounts): void {
  const { facts, inFlight } = entry;
  const { UserConcurrencyLimit: ofUser, TokenConcurrencyLimit: ofToken } = limits;
  if (ofUser > 0) users.notify(user.facts.id, user.inFlight, ofUser);
  if (ofToken > 0 && facts) tokens.notify(facts.id, inFlight, ofToken);
}

function tooMany(whose: string): RelayError {
  const message = `Too many in-flight requests for ${whose}. Try again when some of them have finished`;
  const error = new RelayError(429, message, 'too_many_requests_under_way');
  error.retryAfter = retryAfter;
  return error;
}
