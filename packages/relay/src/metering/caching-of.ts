import type { Caching } from '../quota/price.ts';
import type { RelayRequest } from '../request/read-request.ts';

/**
 * Whether a request may have its prompt written into a cache. Every word for that has "cache" in it, and "1h" where it is kept
 * for an hour; letters may also stand there by their numbers. What merely speaks of caches is held as if it wrote into one.
 */
export function cachingOf({ bytes }: Pick<RelayRequest, 'bytes'>): Caching {
  const hasNumbered = bytes.includes('\\u00');
  if (!hasNumbered && !bytes.includes('cache')) return 'none';
  return hasNumbered || bytes.includes('1h') ? 'long' : 'short';
}
