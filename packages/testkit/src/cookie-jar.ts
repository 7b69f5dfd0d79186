interface Cookie {
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** In milliseconds since 1970; a session cookie never expires here. */
  readonly expires: number;
}

/** Keeps the cookies of one site as a browser does: by name, path, scheme and age. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** Plants a cookie that no reply has set. */
  set(name: string, value: string): void {
    this.#cookies.set(name, { value, path: '/', isSecure: false, expires: Number.POSITIVE_INFINITY });
  }

  get(name: string): string | undefined {
    return this.#living(name)?.value;
  }

  clear(): void {
    this.#cookies.clear();
  }

  /** Takes over the cookies of another jar. */
  copyFrom(other: CookieJar): void {
    for (const [name, cookie] of other.#cookies) this.#cookies.set(name, cookie);
  }

  /** Takes up one Set-Cookie header. */
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

  /** The Cookie header for a request to this address; undefined when none is sent. */
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
