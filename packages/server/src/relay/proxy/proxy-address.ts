import { RelayError } from '@headgate/relay';

const ownPath = /^\/v1\/(?:oneapi\/)?proxy\/[^/?#]+(\/[^?#]*)(?:\?([^#]*))?$/;

/** What a call behind the proxy's own path asks for, as it was sent. */
export interface ProxyTarget {
  /** Begins with a slash. */
  readonly path: string;
  /** Without the question mark; empty: none. */
  readonly query: string;
}

/** Reads a request's address as it came, before anything has made it prettier. */
export function readTarget(rawUrl: string): ProxyTarget {
  const [, path, query = ''] = ownPath.exec(rawUrl) ?? [];
  if (path === undefined || path.startsWith('//') || !isPlain(path)) throw refused();
  return { path, query };
}

/** The address below the channel's own; refused when it would be anywhere else. */
export function addressBelow(baseUrl: string, { path }: ProxyTarget, query: string): string {
  const base = URL.parse(baseUrl);
  const url = URL.parse(baseUrl + path + (query === '' ? '' : `?${query}`));
  if (!base || !url || url.origin !== base.origin || url.username !== '' || url.password !== '') throw refused();
  const home = base.pathname.replace(/\/$/, '');
  if (!url.pathname.startsWith(`${home}/`)) throw refused();
  return url.href;
}

/** How often a text may have been encoded: whoever decodes it behind us may do so more than once. */
const mostLayers = 5;

/** Whether a path goes down only, however it is written: it has no steps up and nothing that is taken for one. */
function isPlain(path: string): boolean {
  let text = path;
  for (let layer = 0; layer < mostLayers; layer += 1) {
    if (/[\\\p{Cc}]/u.test(text) || text.split('/').some(isStep)) return false;
    const decoded = decodedOnce(text);
    if (decoded === undefined || decoded === text) return decoded !== undefined;
    text = decoded;
  }
  return false;
}

/** Some servers cut a segment at its semicolon, or trim it, before they look at it; some decode it before they look for the query. */
const isStep = (segment: string): boolean => /^\.{1,2}$/.test((segment.split(/[;?#]/, 1)[0] ?? '').trim());

/** Undefined when it cannot be decoded. */
function decodedOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const refused = () => new RelayError(400, 'The path leads out of the proxy', 'invalid_path', 'invalid_request_error');
