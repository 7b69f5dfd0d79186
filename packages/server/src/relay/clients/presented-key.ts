import type { IncomingHttpHeaders } from 'node:http';

/** Where clients of one dialect or another put their key, in the order in which they are believed. */
export const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const;

/** The key a client presents, wherever its dialect puts it; undefined when it presents none. */
export function presentedKey(headers: IncomingHttpHeaders, url = ''): string | undefined {
  for (const name of keyHeaders) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  const query = url.indexOf('?');
  return query === -1 ? undefined : (new URLSearchParams(url.slice(query + 1)).get('key') ?? undefined);
}
