import { Refusal } from './refusal.ts';

interface QuotaChange {
  /** Undefined: it stays. */
  readonly wanted: number | undefined;
  /** What the caller has seen; undefined when he does not say. */
  readonly was: number | undefined;
}

/** Nobody overwrites a quota that has been spent from, or added to, since he looked. */
export function refuseStaleQuota(now: number, { wanted, was }: QuotaChange): void {
  if (wanted === undefined || was === undefined || now === was || now === wanted) return;
  throw new Refusal('quotaChanged', { now: String(now), was: String(was) });
}
