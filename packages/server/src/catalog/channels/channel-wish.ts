import type { ChannelFilter } from '@headgate/contract';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ChannelWish } from './channel-repository.ts';

/**
 * What the repository looks for: a keyword may be a key, which it knows by its fingerprint alone, and which channels rest
 * is known to the node and not to the database.
 */
export function wishOf(filter: Partial<ChannelFilter>, box: SecretBox, resting: readonly number[] = []): ChannelWish {
  const { keyword = '', status, type, group, model, tag, failing } = filter;
  const wanted = keyword === '' ? undefined : { keyword, fingerprint: box.fingerprint(keyword) };
  return { status, type, group, model, tag, failing, wanted, among: filter.resting ? resting : undefined };
}
