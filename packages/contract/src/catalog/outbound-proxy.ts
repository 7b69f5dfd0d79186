/** Config keys of the outbound proxy, for channels of every type. */
export const channelProxyKeys = ['proxy', 'proxy_password'] as const;

/** Proxy protocols with their default ports. */
const proxyPorts = { http: 80, https: 443, socks5: 1080, socks5h: 1080 } as const;
export type ProxyScheme = keyof typeof proxyPorts;

/** Proxy through which a channel reaches its provider. */
export interface OutboundProxy {
  readonly scheme: ProxyScheme;
  /** Lowercase; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
  /** Empty: the proxy requires no credentials. */
  readonly username: string;
  readonly password: string;
}

// Credentials, then a host name or an address, then the port.
const proxyUrl =
  /^(https?|socks5h?):\/\/(?:([^:@/\s]*)(?::([^@/\s]*))?@)?(\[[0-9a-f:.]+\]|[^:@/?#[\]\s]+)(?::(\d{1,5}))?\/?$/i;
const maxUrlLength = 1000;
/** Maximum length of names and passwords in SOCKS5. */
const maxCredentialBytes = 255;

/** Parses a proxy URL; undefined if it is invalid. */
export function readProxyUrl(text: string): OutboundProxy | undefined {
  const [, scheme = '', user = '', secret = '', given = '', port] =
    (text.length <= maxUrlLength && proxyUrl.exec(text)) || [];
  const username = decoded(user);
  const password = decoded(secret);
  if (given === '' || username === undefined || password === undefined) return undefined;
  const kind = scheme.toLowerCase() as ProxyScheme;
  const number = port === undefined ? proxyPorts[kind] : Number(port);
  if (number < 1 || number > 65_535 || (username === '' && password !== '')) return undefined;
  return { scheme: kind, host: given.toLowerCase().replace(/^\[|\]$/g, ''), port: number, username, password };
}

/** URL without the password, for the config key `proxy`. */
export function proxyUrlOf({ scheme, host, port, username }: OutboundProxy): string {
  const user = username === '' ? '' : `${encodeURIComponent(username)}@`;
  return `${scheme}://${user}${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Proxy in a channel's config; undefined if none is set. */
export function channelProxy(config: Readonly<Record<string, string>>): OutboundProxy | undefined {
  const proxy = readProxyUrl(config['proxy'] ?? '');
  return proxy && { ...proxy, password: config['proxy_password'] ?? proxy.password };
}

/** True if the string is short enough for proxy credentials. */
export function isProxyCredential(text: string): boolean {
  try {
    return encodeURIComponent(text).replace(/%../g, '-').length <= maxCredentialBytes && !/\p{Cc}/u.test(text);
  } catch {
    return false;
  }
}

function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return isProxyCredential(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}
