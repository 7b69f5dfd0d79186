import type { Wire } from '@headgate/testkit';
import type { RelayChannel } from '../ports/relay-channel.ts';

type Form = ReturnType<Wire['channel']> & Partial<Record<'config' | 'other' | 'base_url', string>>;

/** A channel of the wire's type, configured for a fake upstream at this URL. */
export function wireChannel({ type, channel }: Wire, url: string): Partial<RelayChannel> {
  const { key, config = '', other = '', base_url = url } = channel(url) as Form;
  return { type, key, other, baseUrl: base_url, config: config === '' ? {} : JSON.parse(config) };
}
