import { RelayError } from '@headgate/relay';
import type { TokenEntry } from './caller-cache.ts';

/** How many at once, of one user and of one token; 0: any number. */
interface Limits {
  readonly UserConcurrencyLimit: number;
  readonly TokenConcurrencyLimit: number;
}

/** Nobody knows when a request will end; most do within seconds. */
const retryAfter = 5;

/** Counts a request in, or refuses it; whoever counts one in must count it out, however it ends. */
export function beginRequest(entry: TokenEntry, limits: Limits): void {
  if (isFull(entry.user.underWay, limits.UserConcurrencyLimit)) throw tooMany('your account');
  if (isFull(entry.underWay, limits.TokenConcurrencyLimit)) throw tooMany('this token');
  entry.underWay += 1;
  entry.user.underWay += 1;
}

export function endRequest(entry: TokenEntry): void {
  entry.underWay -= 1;
  entry.user.underWay -= 1;
}

const isFull = (underWay: number, limit: number): boolean => limit > 0 && underWay >= limit;

function tooMany(whose: string): RelayError {
  const words = `Too many requests of ${whose} are under way. Try again when some of them have ended`;
  const error = new RelayError(429, words, 'too_many_requests_under_way');
  error.retryAfter = retryAfter;
  return error;
}
