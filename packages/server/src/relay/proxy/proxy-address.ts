import { RelayError } from '@headgate/relay';

const ownPath = /^\/v1\/(?:oneapi\/)?proxy\/[^/?#]+(\/[^?#]*)(?:\?([^#]*))?$/;

/** Path and query after the proxy prefix, exactly as sent. */
export interface ProxyTarget {
  /** Starts with a slash. */
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
}

/** Parses the raw URL before any normalization. */
export function parseProxyTarget(rawUrl: string): ProxyTarget {
  const [, path, query = ''] = ownPath.exec(rawUrl) ?? [];
  if (path === undefined || path.startsWith('//') || !isPlain(path)) throw invalidPath();
  return { path, query };
}

/** URL below the channel's base URL; throws if the URL would be outside it. */
export function proxyUrl(baseUrl: string, { path }: ProxyTarget, query: string): string {
  const base = URL.parse(baseUrl);
  const url = URL.parse(baseUrl + path + (query === '' ? '' : `?${query}`));
  if (!base || !url || url.origin !== base.origin || url.username !== '' || url.password !== '') throw invalidPath();
  const home = base.pathname.replace(/\/$/, '');
  if (!url.pathname.startsWith(`${home}/`)) throw invalidPath();
  return url.href;
}

/** Number of encoding layers to check, because upstreams may decode a path more than once. */
const maxLayers = 5;

/** True if a path only descends in any encoding: it has no `..` and nothing that an upstream may read as `..`. */
function isPlain(path: string): boolean {
  let text = path;
  for (let layer = 0; layer < maxLayers; layer += 1) {
    if (/[\\\p{Cc}]/u.test(text) || text.split('/').some(isStep)) return false;
    const decoded = decodedOnce(text);
    if (decoded === undefined || decoded === text) return decoded !== undefined;
    text = decoded;
  }
  return false;
}

/** Some servers cut a segment at a semicolon or trim it, and some decode it before they split off the query. */
const isStep = (segment: string): boolean => /^\.{1,2}$/.test((segment.split(/[;?#]/, 1)[0] ?? '').trim());

/** Undefined if it cannot be decoded. */
function decodedOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const invalidPath = () =>
  new RelayError(400, 'The path leaves the base URL of the proxy channel', 'invalid_path', 'invalid_request_error');
