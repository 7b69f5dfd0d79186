import type { ChannelFilter } from '@headgate/contract';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { ChannelWish } from './channel-repository.ts';

/** What the repository looks for: a keyword may be a key, which it knows by its fingerprint alone. */
export function wishOf(filter: Partial<ChannelFilter>, box: SecretBox): ChannelWish {
  const { keyword = '', status, type, group, model, tag, failing } = filter;
  const wanted = keyword === '' ? undefined : { keyword, fingerprint: box.fingerprint(keyword) };
  return { status, type, group, model, tag, failing, wanted };
}
