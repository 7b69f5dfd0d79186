import type { ChannelFilter } from '@headgate/contract';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ChannelQuery } from './channel-repository.ts';

/**
 * Repository filter. A keyword may be a key, which is stored only as a fingerprint. Cooldowns are kept in memory on
 * each node, not in the database.
 */
export function toChannelQuery(
  filter: Partial<ChannelFilter>,
  box: SecretBox,
  coolingDown: readonly number[] = [],
): ChannelQuery {
  const { keyword = '', status, type, group, model, tag, failing } = filter;
  const wanted = keyword === '' ? undefined : { keyword, fingerprint: box.fingerprint(keyword) };
  return { status, type, group, model, tag, failing, wanted, among: filter.cooling_down ? coolingDown : undefined };
}
