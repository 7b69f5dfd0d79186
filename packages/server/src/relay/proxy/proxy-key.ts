import { type RelayChannel, RelayError } from '@headgate/relay';

/** Where a proxy channel's key stands in the request. */
export interface KeyPlacement {
  readonly headers: Readonly<Record<string, string>>;
  /** The parameter's name and its whole text in the address; empty when it is in a header. */
  readonly parameter: string;
  readonly query: string;
}

const headerName = /^[a-z][a-z0-9-]{0,63}$/i;
const parameterName = /^\?[a-z_][a-z0-9_.-]{0,63}$/i;
/** Headers that cannot carry a key: those of the connection, and those the relay itself writes. */
const otherHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Where the channel's key travels: in the header or the query parameter that it names; in `Authorization`, as it is,
 * where it names none.
 */
export function keyPlacementOf({ other, key }: Pick<RelayChannel, 'other' | 'key'>): KeyPlacement {
  const place = other.trim();
  if (place === '') return { headers: { authorization: key }, ...noParameter };
  if (parameterName.test(place)) {
    const parameter = place.slice(1);
    return { headers: {}, parameter, query: `${parameter}=${encodeURIComponent(key)}` };
  }
  const name = place.toLowerCase();
  if (headerName.test(place) && !otherHeaders.has(name)) return { headers: { [name]: key }, ...noParameter };
  throw new RelayError(503, 'The channel does not say how its key travels', 'channel_not_set_up');
}

const noParameter = { parameter: '', query: '' } as const;
