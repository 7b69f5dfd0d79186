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

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
