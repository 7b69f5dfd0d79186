interface Cookie {
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** Milliseconds since 1970. Session cookies never expire here. */
  readonly expires: number;
}

/** Cookies of one site, matched by name, path, scheme and expiry as in a browser. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** Sets a cookie without a response. */
  set(name: string, value: string): void {
    this.#cookies.set(name, { value, path: '/', isSecure: false, expires: Number.POSITIVE_INFINITY });
  }

  get(name: string): string | undefined {
    return this.#living(name)?.value;
  }

  clear(): void {
    this.#cookies.clear();
  }

  copyFrom(other: CookieJar): void {
    for (const [name, cookie] of other.#cookies) this.#cookies.set(name, cookie);
  }

  /** Stores the cookie of a Set-Cookie header. */
  accept(header: string): void {
    const [pair = '', ...attributeTexts] = header.split(';').map((part) => part.trim());
    const [name, value] = splitAt(pair, '=');
    const attributes = new Map(
      attributeTexts.map((text) => splitAt(text, '=')).map(([key, text]) => [key.toLowerCase(), text]),
    );
    this.#cookies.set(name, {
      value,
      path: attributes.get('path') ?? '/',
      isSecure: attributes.has('secure'),
      expires: expiryOf(attributes.get('max-age'), attributes.get('expires')),
    });
  }

  /** Cookie header for a request to this URL; undefined if no cookie matches. */
  headerFor(url: URL): string | undefined {
    const pairs = [...this.#cookies.keys()].flatMap((name) => {
      const cookie = this.#living(name);
      if (cookie === undefined || !url.pathname.startsWith(cookie.path)) return [];
      return cookie.isSecure && url.protocol !== 'https:' ? [] : [`${name}=${cookie.value}`];
    });
    return pairs.length > 0 ? pairs.join('; ') : undefined;
  }

  #living(name: string): Cookie | undefined {
    const cookie = this.#cookies.get(name);
    return cookie !== undefined && cookie.expires > Date.now() ? cookie : undefined;
  }
}

function splitAt(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + separator.length)];
}

function expiryOf(maxAgeSeconds: string | undefined, expires: string | undefined): number {
  if (maxAgeSeconds !== undefined) return Date.now() + Number(maxAgeSeconds) * 1000;
  return expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires);
}
