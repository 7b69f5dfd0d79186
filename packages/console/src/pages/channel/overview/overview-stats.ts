import type { ChannelTrafficHour } from '@headgate/contract';
import { formatNumber } from '../../../lib/format/format.ts';

type Sums = Pick<ChannelTrafficHour, 'requests' | 'failures' | 'quota' | 'cost' | 'uncosted_quota'>;

/** From 0 to 1; null without requests. */
export const successRate = ({ requests, failures }: Pick<Sums, 'requests' | 'failures'>): number | null =>
  requests === 0 ? null : (requests - failures) / requests;

/** Charged quota minus cost, excluding requests with unknown cost. Null if there are no other requests. */
export function profitMargin({ quota, uncosted_quota, cost }: Sums): number | null {
  const costed = quota - uncosted_quota;
  return costed === 0 && cost === 0 ? null : costed - cost;
}

/** Margin as a share of the charged quota; null if unknown. */
export function marginShare(sums: Sums): number | null {
  const margin = profitMargin(sums);
  const costed = sums.quota - sums.uncosted_quota;
  return margin === null || costed === 0 ? null : margin / costed;
}

/** A share as a percentage with at most one decimal. */
export const formatFraction = (share: number): string => `${formatNumber(Math.round(share * 1000) / 10)}%`;
