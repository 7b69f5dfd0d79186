import type { ModelStatus } from '@headgate/contract';

export type Availability = 'good' | 'poor' | 'bad' | 'none';

const goodFrom = 0.99;
const poorFrom = 0.9;

/** Null means no requests. */
export function availabilityOf(share: number | null): Availability {
  if (share === null) return 'none';
  if (share >= goodFrom) return 'good';
  return share >= poorFrom ? 'poor' : 'bad';
}

/** Current status of a model, from this hour or, without data, the previous hour. */
export const currentAvailability = ({ hours }: Pick<ModelStatus, 'hours'>): Availability =>
  availabilityOf(hours.at(-1) ?? hours.at(-2) ?? null);

/** Rounded down, so 100% means no failures. */
export const formatPercent = (share: number): string =>
  `${(Math.floor(share * 1000) / 10).toFixed(share === 1 ? 0 : 1)}%`;

/** Index of the lowest availability; undefined without requests. */
export function worstIndex(shares: readonly (number | null)[]): number | undefined {
  let worst: number | undefined;
  for (const [index, share] of shares.entries()) {
    if (share === null) continue;
    if (worst === undefined || share < (shares[worst] ?? 1)) worst = index;
  }
  return worst;
}
