/** A full URL is replaced by its path. Clients send one when they treat this server as a proxy. */
export function toOriginForm(url = '/'): string {
  if (url.startsWith('/')) return url;
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

const alias = /^\/openai(?=\/v1(?:[/?]|$))/;

/** `/openai/v1` is an alias of `/v1`, for clients configured with the path of an Azure or Groq endpoint. */
export const stripPathAlias = (url: string): string => (url.startsWith('/openai/') ? url.replace(alias, '') : url);

interface WithUrl {
  readonly url?: string | undefined;
}

/**
 * A path that cannot be decoded (`/%zz`) is taken literally and returns 404: the router would reject it before the
 * hooks that set the headers of every response.
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
