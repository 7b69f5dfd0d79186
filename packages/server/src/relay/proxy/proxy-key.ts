import { type RelayChannel, RelayError } from '@headgate/relay';
import { readKeyLocation } from '../../catalog/channels/key-location.ts';

/** Where a proxy channel's key is placed in the request. */
export interface KeyPlacement {
  readonly headers: Readonly<Record<string, string>>;
  /** Name and encoded text of the query parameter; empty if the key is in a header. */
  readonly parameter: string;
  readonly query: string;
}

/** Places the key in the configured header or query parameter; in `Authorization` by default. */
export function keyPlacement({ other, key }: Pick<RelayChannel, 'other' | 'key'>): KeyPlacement {
  const place = readKeyLocation(other);
  if (!place)
    throw new RelayError(
      503,
      'The key location of the channel is invalid; an admin has to edit the channel',
      'channel_not_set_up',
    );
  if ('header' in place) return { headers: { [place.header]: key }, parameter: '', query: '' };
  const { parameter } = place;
  return { headers: {}, parameter, query: `${parameter}=${encodeURIComponent(key)}` };
}
