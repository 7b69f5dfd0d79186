import { type Endpoint, fillPath, withoutTrailingSlash } from '@headgate/contract';

export interface ClientOptions {
  /** Where the gateway is, such as `https://gateway.example`. */
  readonly url: string;
  /** Of whoever the calls are made for; without one they are a visitor's. */
  readonly accessToken?: string | undefined;
  /** The language of refusals; English unless told otherwise. */
  readonly language?: 'en' | 'zh';
  /** In place of the one that is there everywhere. */
  readonly fetch?: typeof fetch;
}

/** Whom to call, judged once. */
export interface Gateway {
  readonly url: string;
  readonly accessToken: string | undefined;
  readonly language: 'en' | 'zh';
  readonly fetch: typeof fetch;
}

/** Refuses at once what could only fail later, in words that repeat neither the address nor the token. */
export function gatewayOf({ url, accessToken, language = 'en', fetch: given }: ClientOptions): Gateway {
  return {
    url: judgedUrl(url),
    accessToken: accessToken === undefined ? undefined : judgedToken(accessToken),
    language,
    fetch: given ?? fetch,
  };
}

function judgedUrl(given: string): string {
  const { protocol, username, password, search, hash } = URL.canParse(given) ? new URL(given) : nowhere;
  if (!/^https?:$/.test(protocol)) throw new TypeError('url must be an address that begins with http:// or https://');
  if (username || password || search || hash || /[?#]/.test(given))
    throw new TypeError('url must hold no user, no password, no query and no fragment');
  return withoutTrailingSlash(given.trim());
}

const nowhere = { protocol: '', username: '', password: '', search: '', hash: '' };

/** A secret that was read from a file ends with a line break; anything else that is no plain character is a mistake. */
function judgedToken(given: string): string {
  const token = given.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('accessToken is empty or holds what no access token has');
  return token;
}

export interface LooseInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** The path of a call; of an id that is none another call would become. */
export function pathOf({ path }: Endpoint, params: Readonly<Record<string, unknown>> = {}): string {
  for (const [, name = ''] of path.matchAll(/:(\w+)/g)) {
    const value = params[name];
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value)))
      throw new TypeError(`${name} is missing, or cannot stand in the address of a call`);
  }
  return fillPath(path, params);
}

/** What stands behind the path: everything that is given. */
export function searchOf(query: LooseInput['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search && `?${search}`;
}
