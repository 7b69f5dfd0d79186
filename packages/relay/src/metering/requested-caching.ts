import type { Caching } from '../quota/price.ts';
import type { RelayRequest } from '../request/read-request.ts';

/**
 * Whether a request may write its prompt to a cache. Every field that enables caching contains "cache", and "1h" for
 * a one-hour cache; letters may also be escaped. A prompt that only mentions caches is reserved as if it wrote to
 * one.
 */
export function requestedCaching({ bytes }: Pick<RelayRequest, 'bytes'>): Caching {
  const hasNumbered = bytes.includes('\\u00');
  if (!hasNumbered && !bytes.includes('cache')) return 'none';
  return hasNumbered || bytes.includes('1h') ? 'long' : 'short';
}
