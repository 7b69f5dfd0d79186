import { Refusal } from './refusal.ts';

interface QuotaChange {
  /** Undefined to keep it. */
  readonly wanted: number | undefined;
  /** Quota the caller has seen; undefined if not given. */
  readonly was: number | undefined;
}

/** Rejects overwriting a quota that has changed since the caller read it. */
export function refuseStaleQuota(now: number, { wanted, was }: QuotaChange): void {
  if (wanted === undefined || was === undefined || now === was || now === wanted) return;
  throw new Refusal('quotaChanged', { now: String(now), was: String(was) });
}
