import { type Endpoint, fillPath, stripTrailingSlash } from '@headgate/contract';

export interface ClientOptions {
  /** Base URL of the gateway, such as `https://gateway.example`. */
  readonly url: string;
  /** Access token of the user. Without one, calls are anonymous. */
  readonly accessToken?: string | undefined;
  /** Language of error messages. Default: English. */
  readonly language?: 'en' | 'zh';
  /** Custom fetch implementation. */
  readonly fetch?: typeof fetch;
}

/** Validated client options. */
export interface ResolvedOptions {
  readonly url: string;
  readonly accessToken: string | undefined;
  readonly language: 'en' | 'zh';
  readonly fetch: typeof fetch;
}

/** Validates the options. Error messages contain neither the URL nor the token. */
export function resolveOptions({ url, accessToken, language = 'en', fetch: given }: ClientOptions): ResolvedOptions {
  return {
    url: validateUrl(url),
    accessToken: accessToken === undefined ? undefined : validateToken(accessToken),
    language,
    fetch: given ?? fetch,
  };
}

function validateUrl(given: string): string {
  const { protocol, username, password, search, hash } = URL.canParse(given) ? new URL(given) : emptyUrl;
  if (!/^https?:$/.test(protocol)) throw new TypeError('url must start with http:// or https://');
  if (username || password || search || hash || /[?#]/.test(given))
    throw new TypeError('url must not contain a user, password, query or fragment');
  return stripTrailingSlash(given.trim());
}

const emptyUrl = { protocol: '', username: '', password: '', search: '', hash: '' };

/**
 * Trims the token, because a secret read from a file ends with a line break. Other non-printable characters are
 * rejected.
 */
function validateToken(given: string): string {
  const token = given.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('accessToken is empty or contains invalid characters');
  return token;
}

export interface UntypedInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Path of the endpoint with its parameters filled in. An empty id, `.` or `..` would resolve to another endpoint. */
export function endpointPath({ path }: Endpoint, params: Readonly<Record<string, unknown>> = {}): string {
  for (const [, name = ''] of path.matchAll(/:(\w+)/g)) {
    const value = params[name];
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value)))
      throw new TypeError(`${name} is missing or not allowed in a path`);
  }
  return fillPath(path, params);
}

/** Query string of all defined parameters. */
export function queryString(query: UntypedInput['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search && `?${search}`;
}
