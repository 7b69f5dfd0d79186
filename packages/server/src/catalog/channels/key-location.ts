/** Header or query parameter that carries the key of a proxy channel. */
type KeyLocation = { readonly header: string } | { readonly parameter: string };

const headerName = /^[a-z][a-z0-9-]{0,63}$/i;
const parameterName = /^\?[a-z_][a-z0-9_.-]{0,63}$/i;
/** Headers that cannot carry a key: connection headers and those written by the relay. */
const otherHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
]);

/** Parses the key location of a proxy channel; empty means `Authorization`. Undefined when invalid. */
export function readKeyLocation(text: string): KeyLocation | undefined {
  const name = text.trim() || 'authorization';
  if (parameterName.test(name)) return { parameter: name.slice(1) };
  const header = name.toLowerCase();
  return headerName.test(name) && !otherHeaders.has(header) ? { header } : undefined;
}
