import type { OutgoingRequest } from '../../platform/outgoing/request-json.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';

const cacheSeconds = 300;
const maxCachedUrls = 200;

/** Values by URL that expire; the oldest is dropped when there are too many. */
export class ExpiringCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();

  get(url: string): Value | undefined {
    const entry = this.#entries.get(url);
    return entry && entry.until > nowInSeconds() ? entry.value : undefined;
  }

  set(url: string, value: Value): void {
    this.#entries.delete(url);
    this.#entries.set(url, { value, until: nowInSeconds() + cacheSeconds });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxCachedUrls && oldest !== undefined) this.#entries.delete(oldest);
  }
}

export type OidcCacheLimits = Pick<OutgoingRequest, 'isPublicOnly'>;

/** A document read from a private address is not used for a provider that must be public. */
export const cacheKey = (address: string, { isPublicOnly = false }: OidcCacheLimits): string =>
  `${isPublicOnly} ${address}`;
