/** The whole address in place of the path, as a client writes that takes this server for a proxy, is that path. */
export function originForm(url = '/'): string {
  if (url.startsWith('/')) return url;
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

const alias = /^\/openai(?=\/v1(?:[/?]|$))/;

/** `/openai/v1` is an alias of `/v1`, for clients that are configured with the path of an Azure or Groq endpoint. */
export const withoutAlias = (url: string): string => (url.startsWith('/openai/') ? url.replace(alias, '') : url);

interface WithUrl {
  readonly url?: string | undefined;
}

/**
 * An address that cannot be decoded (`/%zz`) is taken literally and then not found like any other: the router would
 * refuse it before the hooks that give every reply its headers.
 */
export function readableUrl({ url = '/' }: WithUrl): string {
  const end = url.search(/[?#;]/);
  const path = end < 0 ? url : url.slice(0, end);
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
