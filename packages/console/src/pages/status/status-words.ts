import type { ModelStatus } from '@headgate/contract';

export type Standing = 'good' | 'poor' | 'bad' | 'none';

const goodFrom = 0.99;
const poorFrom = 0.9;

/** Null: nothing was asked for. */
export function standingOf(share: number | null): Standing {
  if (share === null) return 'none';
  if (share >= goodFrom) return 'good';
  return share >= poorFrom ? 'poor' : 'bad';
}

/** How a model does now: by this hour, or by the one before while this one has nothing to tell. */
export const standingNow = ({ hours }: Pick<ModelStatus, 'hours'>): Standing =>
  standingOf(hours.at(-1) ?? hours.at(-2) ?? null);

/** Never rounded up: 100 % is said of what never failed. */
export const percentOf = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(share === 1 ? 0 : 1)} %`;

/** The step that was worst, by its place; undefined where nothing was asked for. */
export function worstOf(shares: readonly (number | null)[]): number | undefined {
  let worst: number | undefined;
  for (const [index, share] of shares.entries()) {
    if (share === null) continue;
    if (worst === undefined || share < (shares[worst] ?? 1)) worst = index;
  }
  return worst;
}
