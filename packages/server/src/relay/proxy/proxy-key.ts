import { type RelayChannel, RelayError } from '@headgate/relay';
import { readKeyPlace } from '../../catalog/channels/key-place.ts';

/** Where a proxy channel's key stands in the request. */
export interface KeyPlacement {
  readonly headers: Readonly<Record<string, string>>;
  /** The parameter's name and its whole text in the address; empty when it is in a header. */
  readonly parameter: string;
  readonly query: string;
}

/** The key goes into the header or query parameter that the channel names; into `Authorization` where it names none. */
export function keyPlacementOf({ other, key }: Pick<RelayChannel, 'other' | 'key'>): KeyPlacement {
  const place = readKeyPlace(other);
  if (!place) throw new RelayError(503, 'The channel does not say how its key travels', 'channel_not_set_up');
  if ('header' in place) return { headers: { [place.header]: key }, parameter: '', query: '' };
  const { parameter } = place;
  return { headers: {}, parameter, query: `${parameter}=${encodeURIComponent(key)}` };
}
