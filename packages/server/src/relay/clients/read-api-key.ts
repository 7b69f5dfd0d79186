import type { IncomingHttpHeaders } from 'node:http';

/** Headers that carry the key in the different dialects, in order of precedence. */
export const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const;

/** The key that a client presents in any of the dialects; undefined if there is none. */
export function readApiKey(headers: IncomingHttpHeaders, url = ''): string | undefined {
  for (const name of keyHeaders) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  const query = url.indexOf('?');
  return query === -1 ? undefined : (new URLSearchParams(url.slice(query + 1)).get('key') ?? undefined);
}
